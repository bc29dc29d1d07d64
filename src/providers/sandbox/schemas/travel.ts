import { z } from 'zod'
import { amount, id, instant, latitude, longitude, number, percent, point, text } from './schema-types.ts'

/** Where vehicles and trailers are and were, and how far they drove. */

export const trip = z.object({
  id,
  vehicleId: z.string(),
  driverId: text,
  startedAt: instant,
  endedAt: instant,
  startLocation: point,
  endLocation: point,
  distanceMiles: number,
  durationSeconds: amount,
})

const place = { time: instant, lat: latitude, lng: longitude, heading: number, speedMph: number }

export const crumb = z.object({ ...place, vehicleId: z.string(), driverId: text, address: text })

export const latest = z.object({
  ...crumb.shape,
  odometerMiles: number,
  fuelPercent: percent.nullable(),
  engineState: text,
  engineSeconds: number,
})

export const trailerLocation = z.object({ ...place, trailerId: z.string(), address: text })

export const utilization = z.object({
  id,
  vehicleId: z.string(),
  date: z.iso.date(),
  miles: amount,
  fuelGallons: amount.nullable(),
  drivingSeconds: amount,
  idlingSeconds: amount,
})

export const ifta = z.object({
  id,
  vehicleId: z.string(),
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  jurisdiction: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  miles: amount,
})

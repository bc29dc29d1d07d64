import { z } from 'zod'
import { amount, id, instant, latitude, longitude, number, percent, point, text } from './schema-types.ts'

// Trips, locations and distances of vehicles and trailers.

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

const position = { time: instant, lat: latitude, lng: longitude, heading: number, speedMph: number }

/** Location of a vehicle at a past time. */
export const breadcrumb = z.object({ ...position, vehicleId: z.string(), driverId: text, address: text })

/** Current location of a vehicle, with its measurements. */
export const latest = z.object({
  ...breadcrumb.shape,
  odometerMiles: number,
  fuelPercent: percent.nullable(),
  engineState: text,
  engineSeconds: number,
})

export const trailerLocation = z.object({ ...position, trailerId: z.string(), address: text })

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

import { z } from 'zod'
import { toInstant } from '../../time.ts'

/** The sandbox provider's records, as it sends them. Times are RFC 3339, distances miles, volumes gallons. */

const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})
const text = z.string().nullable()
const number = z.number().nullable()
const point = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }).nullable()
const plate = z.object({ state: text, number: text }).nullable()
const sourced = { id: z.string().min(1), createdAt: instant, updatedAt: instant }
const status = z.enum(['active', 'inactive'])

export const pageOfRecords = z.object({ data: z.array(z.unknown()), cursor: z.string().nullable() })

export const account = z.object({
  id: z.string(),
  name: z.string(),
  usdotNumbers: z.array(z.string()),
  user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string(), email: z.string() }),
})

export const group = z.object({ ...sourced, name: text, description: text, parentId: text })

export const driver = z.object({
  ...sourced,
  status,
  firstName: text,
  middleName: text,
  lastName: text,
  email: text,
  phone: text,
  username: text,
  license: plate,
  groupIds: z.array(z.string()),
})

export const vehicle = z.object({
  ...sourced,
  status,
  vin: text,
  name: text,
  make: text,
  model: text,
  year: z.number().int().nullable(),
  groupIds: z.array(z.string()),
  licensePlate: plate,
  fuelType: text,
  fuelTankGallons: number,
})

export const device = z.object({
  ...sourced,
  type: z.enum(['tracker', 'camera']),
  vehicleId: text,
  serialNumber: text,
  description: text,
  lastConnectedAt: instant.nullable(),
})

export const trip = z.object({
  id: z.string().min(1),
  vehicleId: z.string(),
  driverId: text,
  startedAt: instant,
  endedAt: instant,
  startLocation: point,
  endLocation: point,
  distanceMiles: number,
  durationSeconds: z.number().min(0),
})

export const safetyEvent = z.object({
  id: z.string().min(1),
  type: z.string(),
  vehicleId: z.string(),
  driverId: text,
  occurredAt: instant,
  endedAt: instant.nullable(),
  location: point,
  maxSpeedMph: number,
  avgSpeedMph: number,
  speedLimitMph: number,
  gForceForward: number,
  gForceSideways: number,
  heading: number,
  label: text,
})

const place = {
  vehicleId: z.string(),
  driverId: text,
  time: instant,
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  heading: number,
  speedMph: number,
}

export const crumb = z.object(place)

export const latest = z.object({
  ...place,
  odometerMiles: number,
  fuelPercent: number,
  engineState: z.enum(['on', 'off', 'idle']).nullable(),
  engineSeconds: number,
  address: text,
})

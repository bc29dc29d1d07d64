import { z } from 'zod'
import { latitude, longitude } from '../../mapping/valid-coordinates.ts'
import { id, instant, number, ref, text } from './schema-types.ts'

/** Location in the units of its vehicle, which the record does not state. */
export const location = z.looseObject({
  id: id.nullish(),
  located_at: instant,
  lat: latitude,
  lon: longitude,
  bearing: number,
  speed: number,
  type: text,
  description: text,
  odometer: number,
  true_odometer: number,
  engine_hours: number,
  true_engine_hours: number,
  fuel_primary_remaining_percentage: number,
  fuel_secondary_remaining_percentage: number,
  driver: ref,
})

/** Whether the values are metric; null if the units of the vehicle are unknown. */
const isMetric = z.boolean().nullable()

/** Location of one vehicle. */
export const located = z.object({ vehicleId: id, isMetric, location })

/** One measurement of a location. */
export const measured = located.extend({ type: z.string() })

/** Vehicle with its current location and the units of the location. */
export const latest = z.object({
  vehicle: z.looseObject({ id, current_location: location, current_driver: ref }),
  isMetric,
})

export const trailerLocation = z.looseObject({
  id,
  place: z.looseObject({
    located_at: instant,
    lat: latitude,
    lon: longitude,
    bearing: number,
    description: text,
  }),
})

import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import { metersToKilometers } from '../../../domain/units.ts'
import { instant, optionalReference, optionalPoint, measure, reference } from '../schema-types.ts'

const HOUR_MS = 3_600_000

export const trip = z.looseObject({
  device: reference,
  driver: optionalReference,
  start: instant,
  stop: instant,
  nextTripStart: instant.nullish().catch(null),
  distance: z.number().min(0),
  averageSpeed: measure,
  maximumSpeed: measure,
  stopPoint: optionalPoint,
  deletedDateTime: instant.nullish().catch(null),
})

export type Trip = z.infer<typeof trip>

const FOREVER = Date.UTC(2050)

/** What runs has no end yet, or one that stands for none. */
export const isOver = ({ stop }: Trip): boolean => stop < FOREVER

/** A date that stands for none lies long before MyGeotab, or after all that is. */
export const isDeleted = ({ deletedDateTime: at }: Trip): boolean => at != null && at > 0 && at < FOREVER

/** Whether it is told as one that was driven. */
export const isCounted = (trip: Trip): boolean => isOver(trip) && !isDeleted(trip)

/** What it is known by: its own id changes whenever it does. */
export const sourceIdOf = ({ device, start }: Trip): string => `${device}:${toIso(start)}`

/** No trip is this much longer than its speeds allow: then its distance is in meters. */
const TOO_FAR = 100

/** Kilometers as MyGeotab documents them; some databases have been seen to tell meters. */
export function kilometersOf({ start, stop, distance, averageSpeed, maximumSpeed }: Trip): number {
  const speed = averageSpeed ?? maximumSpeed
  const isInMeters = speed !== null && distance > (TOO_FAR * speed * (stop - start)) / HOUR_MS
  return isInMeters ? metersToKilometers(distance) : distance
}

export const tripsIn = (records: readonly unknown[]): Trip[] =>
  records.flatMap((record) => trip.safeParse(record).data ?? [])

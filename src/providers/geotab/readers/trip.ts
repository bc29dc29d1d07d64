import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { toIso } from '../../../domain/time.ts'
import { metersToKilometers } from '../../../domain/units.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { instant, optionalReference, optionalPoint, measure, reference } from '../schema-types.ts'

const HOUR_MS = 3_600_000

export const tripSchema = z.looseObject({
  device: reference,
  driver: optionalReference,
  start: instant,
  stop: instant,
  nextTripStart: optionalMember(instant),
  distance: measure,
  averageSpeed: measure,
  maximumSpeed: measure,
  stopPoint: optionalPoint,
  deletedDateTime: optionalMember(instant),
})

export type Trip = z.infer<typeof tripSchema>

const FOREVER = Date.UTC(2050)

/** Whether a trip is completed. MyGeotab sends an end in the far future for a trip in progress. */
export const isOver = ({ stop }: Trip): boolean => stop < FOREVER

/** Whether a trip is deleted. An existing trip has no deletion date, or one in the distant past or far future. */
export const isDeleted = ({ deletedDateTime: at }: Trip): boolean => at != null && at > 0 && at < FOREVER

/** Whether a trip is completed and not deleted. */
export const isValidTrip = (trip: Trip): boolean => isOver(trip) && !isDeleted(trip)

/** Source id of a trip. MyGeotab's own id changes with every change of the trip. */
export const sourceIdOf = ({ device, start }: Trip): string => `${device}:${toIso(start)}`

/**
 * A distance counts as meters if it exceeds the plausible distance in kilometers, speed times duration, by this factor.
 */
const IMPLAUSIBLE_FACTOR = 100

/**
 * Distance of a trip in kilometers; null if unknown. MyGeotab documents kilometers, but the databases of some customers
 * contain meters.
 */
export function distanceKilometersOf({
  start,
  stop,
  distance,
  averageSpeed,
  maximumSpeed,
}: Trip): number | null {
  if (distance === null) return null
  const speed = averageSpeed ?? maximumSpeed
  const isInMeters =
    speed !== null && speed >= 0 && distance > (IMPLAUSIBLE_FACTOR * speed * (stop - start)) / HOUR_MS
  return isInMeters ? metersToKilometers(distance) : distance
}

/** Parses trips. Drops records that cannot be read. */
export const parseTrips = (records: readonly unknown[]): Trip[] =>
  records.flatMap((record) => parseParts(tripSchema, record) ?? [])

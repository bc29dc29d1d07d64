import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import { rounded } from '../../../domain/units.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import { getForEach } from '../api-calls.ts'
import { point, pointOf } from '../schema-types.ts'
import { feedReader } from '../paged-readers.ts'
import { withStartPoints } from './trip-starts.ts'
import {
  isValidTrip,
  isDeleted,
  isOver,
  distanceKilometersOf,
  sourceIdOf,
  tripSchema,
  parseTrips,
} from './trip.ts'

const DAY_MS = 86_400_000

const roundedKilometers = (kilometers: number | null): number | null =>
  kilometers === null ? null : rounded(kilometers, 3)

/**
 * Trip with its start location, which is derived from other records: MyGeotab sends only the end location.
 */
const tripWithStart = z
  .object({ trip: tripSchema, startPoint: point.nullable() })
  .refine(
    ({ trip }) => trip.start <= trip.stop && isOver(trip),
    'the trip ends before it starts, or has no end',
  )

export const tripReader = feedReader({
  typeName: 'Trip',
  shape: tripWithStart,
  join: withStartPoints,
  removedIn,
  toNormalized: ({ trip, startPoint }): NormalizedTrip => ({
    sourceId: sourceIdOf(trip),
    vehicleSourceId: trip.device,
    driverSourceId: trip.driver,
    startedAt: trip.start,
    endedAt: trip.stop,
    startLocation: pointOf(startPoint),
    endLocation: pointOf(trip.stopPoint),
    distanceKilometers: roundedKilometers(distanceKilometersOf(trip)),
    durationMilliseconds: trip.stop - trip.start,
  }),
})

/**
 * Ids of deleted trips without a replacement. When MyGeotab recomputes a trip, it deletes the former one. If the new
 * one has the same start, it has the same source id and must stay.
 */
async function removedIn(api: ProviderApi, records: readonly unknown[]): Promise<string[]> {
  const deleted = parseTrips(records).filter(isDeleted)
  const searches = deleted.map(({ device, start, stop }) => ({
    deviceSearch: { id: device },
    fromDate: toIso(start),
    // A deleted trip is not validated, so it may end before it starts. The new one may end later.
    toDate: toIso(Math.max(start, stop) + DAY_MS),
  }))
  const current = (await getForEach(api, 'Trip', searches)).flat()
  const currentIds = new Set(parseTrips(current).filter(isValidTrip).map(sourceIdOf))
  return deleted.map(sourceIdOf).filter((id) => !currentIds.has(id))
}

import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import { rounded } from '../../../domain/units.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { NormalizedTrip } from '../../normalized-records.ts'
import { getForEach } from '../api-calls.ts'
import { point, pointOf } from '../schema-types.ts'
import { feedReader } from '../paged-readers.ts'
import { withStartPoints } from './trip-starts.ts'
import { isCounted, isDeleted, isOver, kilometersOf, sourceIdOf, trip, tripsIn } from './trip.ts'

const DAY_MS = 86_400_000

/** A trip tells where it ended alone: it began where the device was then, or else where the trip before it ended. */
const placedTrip = z
  .object({ trip, startPoint: point.nullable() })
  .refine(({ trip }) => trip.start <= trip.stop && isOver(trip), 'ends before it begins, or never')

export const tripReader = feedReader({
  typeName: 'Trip',
  shape: placedTrip,
  joined: withStartPoints,
  removedIn,
  toDraft: ({ trip, startPoint }): NormalizedTrip => ({
    sourceId: sourceIdOf(trip),
    vehicleSourceId: trip.device,
    driverSourceId: trip.driver,
    startedAt: trip.start,
    endedAt: trip.stop,
    startLocation: pointOf(startPoint),
    endLocation: pointOf(trip.stopPoint),
    distanceKilometers: rounded(kilometersOf(trip), 3),
    durationMilliseconds: trip.stop - trip.start,
  }),
})

/** Those that were deleted, and of which no other with the same start took the place: MyGeotab computes trips again. */
async function removedIn(api: ProviderApi, records: readonly unknown[]): Promise<string[]> {
  const deleted = tripsIn(records).filter(isDeleted)
  const searches = deleted.map(({ device, start, stop }) => ({
    deviceSearch: { id: device },
    fromDate: toIso(start),
    toDate: toIso(Math.max(start, stop) + DAY_MS),
  }))
  const there = (await getForEach(api, 'Trip', searches)).flat()
  const kept = new Set(tripsIn(there).filter(isCounted).map(sourceIdOf))
  return deleted.map(sourceIdOf).filter((id) => !kept.has(id))
}

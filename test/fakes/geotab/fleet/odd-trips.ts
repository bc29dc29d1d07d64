import type { Ms } from '../../world/truth.ts'
import { emissionsAt } from '../ledger/timed-record-store.ts'
import type { Emission } from '../ledger/ledger.ts'
import { HOUR } from '../times.ts'
import { dateTime, type Entity, FOREVER } from '../formats.ts'
import type { Fleet } from './fleet.ts'
import { completedAt, type ReportedTrip, toTrip } from '../records/trip.ts'

/** Returns invalid trips: recomputed ones are marked as deleted, and some stop at absurd times. */
export function oddTripEmissions(fleet: Fleet, reported: ReportedTrip, since: Ms, until: Ms): Emission[] {
  const { switches } = fleet
  const { trip } = reported
  if (trip.endedAt === null) return []
  const { number, vehicle, startedAt } = trip
  const odd = (name: string, at: Ms, how: Entity): Emission[] =>
    emissionsAt([at], since, until, `${vehicle}:${startedAt}:${name}`, (version) => ({
      ...toTrip(fleet, reported, version),
      ...how,
    }))
  const computedAt = completedAt(trip) + 4 * HOUR
  const isComputedAnew = switches.tripDeletion === 'sent' && number % 7 === 5
  const isOdd = switches.oddRecords === 'some' && vehicle === 2 && number % 100 === 0
  const start = dateTime(startedAt + 1)
  return [
    ...(isComputedAnew ? odd('old', computedAt, { deletedDateTime: dateTime(computedAt) }) : []),
    ...(isOdd ? odd('running', completedAt(trip), { start, stop: FOREVER }) : []),
    ...(isOdd ? odd('absurd', completedAt(trip), { start, stop: dateTime(startedAt - HOUR) }) : []),
  ]
}

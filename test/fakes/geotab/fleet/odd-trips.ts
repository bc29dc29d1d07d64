import type { Ms } from '../../world/truth.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import type { EntityVersion } from '../stores/version-log.ts'
import { HOUR } from '../times.ts'
import { dateTime, type Entity, FOREVER } from '../formats.ts'
import type { Fleet } from './fleet.ts'
import { endArrivalOf, type ReportedTrip, toTrip } from '../records/trip.ts'

/** Returns extra versions of a trip: deleted because of a new computation, or with an impossible stop time. */
export function oddTripVersions(fleet: Fleet, reported: ReportedTrip, since: Ms, until: Ms): EntityVersion[] {
  const { switches } = fleet
  const { trip } = reported
  if (trip.endedAt === null) return []
  const { number, vehicle, startedAt } = trip
  const odd = (name: string, at: Ms, members: Entity): EntityVersion[] =>
    versionsAt([at], since, until, `${vehicle}:${startedAt}:${name}`, (version) => ({
      ...toTrip(fleet, reported, version),
      ...members,
    }))
  const recomputedAt = endArrivalOf(trip) + 4 * HOUR
  const isRecomputed = switches.tripDeletion === 'sent' && number % 7 === 5
  const isOdd = switches.oddRecords === 'some' && vehicle === 2 && number % 100 === 0
  const start = dateTime(startedAt + 1)
  return [
    ...(isRecomputed ? odd('old', recomputedAt, { deletedDateTime: dateTime(recomputedAt) }) : []),
    ...(isOdd ? odd('running', endArrivalOf(trip), { start, stop: FOREVER }) : []),
    ...(isOdd ? odd('absurd', endArrivalOf(trip), { start, stop: dateTime(startedAt - HOUR) }) : []),
  ]
}

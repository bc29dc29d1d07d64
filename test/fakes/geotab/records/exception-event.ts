import type { Ms, SafetyEvent, Trip } from '../../world/truth.ts'
import { emissionsAt } from '../ledger/timed-record-store.ts'
import type { Emission } from '../ledger/ledger.ts'
import { SECOND } from '../times.ts'
import {
  dateTime,
  type Entity,
  kilometers,
  kilometersPerHour,
  longId,
  timespan,
  versionText,
} from '../formats.ts'
import { stateAfter, removedEventAt, VALID } from '../fleet/event-states.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { OWN_RULE, ruleOf, ruleReference, SEAT_BELT_RULE } from './rules.ts'
import { completedAt, stopOf, windowStart } from './trip.ts'

export const exceptionId = (event: SafetyEvent): string => longId('exception', event.number)

export function exceptionEmissions(fleet: Fleet, since: Ms, until: Ms): Emission[] {
  const { world } = fleet
  const from = windowStart(fleet, since)
  return fleet.vehicleNumbers().flatMap((vehicle) => [
    ...world.safetyEvents(vehicle, from, until + 1).flatMap((event) => {
      const toEntity = (version: number) => toExceptionEvent(fleet, event, version)
      const takenBack = (version: number) => ({ ...toEntity(version), state: stateAfter(event) })
      const [id, at] = [exceptionId(event), removedEventAt(fleet, event)]
      return [
        ...emissionsAt([event.arrivedAt, event.updatedAt], since, until, id, toEntity),
        ...emissionsAt(at === null ? [] : [at], since, until, id, takenBack),
      ]
    }),
    ...world.trips(vehicle, from, until + 1).flatMap((trip) => {
      const id = longId('exception', 'of trip', trip.number)
      const toEntity = (version: number) => toIdlingEvent(fleet, trip, id, version)
      const moments = [completedAt(trip), trip.updatedAt]
      return [
        ...(isTold(trip) ? emissionsAt(moments, since, until, id, toEntity) : []),
        ...seatBeltEmissions(fleet, trip, since, until),
      ]
    }),
  ])
}

/** Returns whether a trip has an event that is not about safety. */
const isTold = ({ number, endedAt, idlingMilliseconds }: Trip): boolean =>
  number % 10 === 1 && endedAt !== null && idlingMilliseconds > 0

/** Returns whether a whole trip has no seat belt. */
export const isUnbelted = ({ switches }: Fleet, { number, endedAt }: Trip): boolean =>
  switches.seatBelts === 'some' && number % 10 === 2 && endedAt !== null

export const unbeltedId = ({ number }: Trip): string => longId('exception', 'without a belt', number)

function seatBeltEmissions(fleet: Fleet, trip: Trip, since: Ms, until: Ms): Emission[] {
  if (!isUnbelted(fleet, trip)) return []
  const id = unbeltedId(trip)
  const toEntity = (version: number): Entity => ({
    ...toIdlingEvent(fleet, trip, id, version),
    ...windowOf(trip.startedAt, stopOf(trip)),
    distance: kilometers(trip.meters),
    rule: ruleReference(SEAT_BELT_RULE),
  })
  return emissionsAt([completedAt(trip), trip.updatedAt], since, until, id, toEntity)
}

function toExceptionEvent(fleet: Fleet, event: SafetyEvent, version: number): Entity {
  const seconds = (event.endedAt - event.startedAt) / SECOND
  return {
    ...windowOf(event.startedAt, event.endedAt),
    ...changesOf(event.arrivedAt, event.updatedAt),
    ...(event.limitMetersPerSecond !== null && fleet.switches.speedingDetails === 'present'
      ? { details: speedsOf(event.maxMetersPerSecond, event.limitMetersPerSecond) }
      : {}),
    distance: kilometers(event.averageMetersPerSecond * seconds),
    rule: ruleReference(ruleOf[event.kind]),
    device: deviceReference(event.vehicle),
    diagnostic: fleet.sentinel('NoDiagnosticId'),
    driver: fleet.driverReference(event.driver),
    state: VALID,
    version: versionText(version),
    id: exceptionId(event),
  }
}

const speedsOf = (maximum: number, limit: number) => ({
  maxSpeed: kilometersPerHour(maximum),
  speedLimit: kilometersPerHour(limit),
})

function toIdlingEvent(fleet: Fleet, trip: Trip, id: string, version: number): Entity {
  const stop = stopOf(trip)
  return {
    ...windowOf(stop - trip.idlingMilliseconds, stop),
    ...changesOf(completedAt(trip), Math.max(completedAt(trip), trip.updatedAt)),
    distance: 0,
    rule: ruleReference(ruleOfTrip(fleet, trip)),
    device: deviceReference(trip.vehicle),
    diagnostic: fleet.sentinel('NoDiagnosticId'),
    driver: fleet.driverReference(trip.driver),
    state: VALID,
    version: versionText(version),
    id,
  }
}

function ruleOfTrip({ switches }: Fleet, { number }: Trip): string {
  if (switches.newWords === 'some') return 'RuleNobodyHasHeardOfId'
  return number % 20 === 1 ? OWN_RULE : 'RuleIdlingId'
}

const windowOf = (from: Ms, to: Ms) => ({
  activeFrom: dateTime(from),
  activeTo: dateTime(to),
  duration: timespan(to - from),
})

const changesOf = (arrivedAt: Ms, updatedAt: Ms) => ({
  createdDateTime: dateTime(arrivedAt),
  lastModifiedDateTime: dateTime(updatedAt),
})

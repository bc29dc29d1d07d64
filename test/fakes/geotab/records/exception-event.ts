import type { Ms, SafetyEvent, Trip } from '../../world/truth.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import type { EntityVersion } from '../stores/version-log.ts'
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
import { withdrawnState, withdrawnAt, VALID } from '../fleet/event-states.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { CUSTOM_RULE, ruleOf, ruleReference, SEAT_BELT_RULE } from './rules.ts'
import { endArrivalOf, stopTimeOf, windowStart } from './trip.ts'

export const exceptionId = (event: SafetyEvent): string => longId('exception', event.number)

export function exceptionVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  const { world } = fleet
  const from = windowStart(fleet, since)
  return fleet.vehicleNumbers().flatMap((vehicle) => [
    ...world.safetyEvents(vehicle, from, until + 1).flatMap((event) => {
      const toEntity = (version: number) => toExceptionEvent(fleet, event, version)
      const toWithdrawn = (version: number) => ({ ...toEntity(version), state: withdrawnState(event) })
      const [id, at] = [exceptionId(event), withdrawnAt(fleet, event)]
      return [
        ...versionsAt([event.arrivedAt, event.updatedAt], since, until, id, toEntity),
        ...versionsAt(at === null ? [] : [at], since, until, id, toWithdrawn),
      ]
    }),
    ...world.trips(vehicle, from, until + 1).flatMap((trip) => {
      const id = longId('exception', 'of trip', trip.number)
      const toEntity = (version: number) => toIdlingEvent(fleet, trip, id, version)
      const times = [endArrivalOf(trip), trip.updatedAt]
      return [
        ...(hasIdlingEvent(trip) ? versionsAt(times, since, until, id, toEntity) : []),
        ...seatBeltVersions(fleet, trip, since, until),
      ]
    }),
  ])
}

/** Whether a trip has an idling event, which is no safety event. */
const hasIdlingEvent = ({ number, endedAt, idlingMilliseconds }: Trip): boolean =>
  number % 10 === 1 && endedAt !== null && idlingMilliseconds > 0

/** Whether the driver has no seat belt during the whole trip. */
export const hasSeatBeltEvent = ({ switches }: Fleet, { number, endedAt }: Trip): boolean =>
  switches.seatBelts === 'some' && number % 10 === 2 && endedAt !== null

export const seatBeltEventId = ({ number }: Trip): string => longId('exception', 'without a belt', number)

function seatBeltVersions(fleet: Fleet, trip: Trip, since: Ms, until: Ms): EntityVersion[] {
  if (!hasSeatBeltEvent(fleet, trip)) return []
  const id = seatBeltEventId(trip)
  const toEntity = (version: number): Entity => ({
    ...toIdlingEvent(fleet, trip, id, version),
    ...windowOf(trip.startedAt, stopTimeOf(trip)),
    distance: kilometers(trip.meters),
    rule: ruleReference(SEAT_BELT_RULE),
  })
  return versionsAt([endArrivalOf(trip), trip.updatedAt], since, until, id, toEntity)
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
  const stop = stopTimeOf(trip)
  return {
    ...windowOf(stop - trip.idlingMilliseconds, stop),
    ...changesOf(endArrivalOf(trip), Math.max(endArrivalOf(trip), trip.updatedAt)),
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
  if (switches.unknownValues === 'some') return 'RuleNobodyHasHeardOfId'
  return number % 20 === 1 ? CUSTOM_RULE : 'RuleIdlingId'
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

import type { Ms, SafetyEvent, Trip } from '../../world/truth.ts'
import { emissionsAt } from '../ledger/happenings.ts'
import type { Emission } from '../ledger/ledger.ts'
import type { Listed } from '../ledger/snapshots.ts'
import { SECOND } from '../times.ts'
import {
  dateTime,
  type Entity,
  FOREVER,
  kilometers,
  kilometersPerHour,
  longId,
  timespan,
  versionText,
} from '../words.ts'
import { stateAfter, takenBackAt, VALID } from './event-states.ts'
import { deviceReference, type Fleet } from './fleet.ts'
import { completedAt, stopOf, windowStart } from './trip.ts'

/** The rules that come with MyGeotab and say something of safety. */
export const ruleOf: Readonly<Record<SafetyEvent['kind'], string>> = {
  harsh_brake: 'RuleHarshBrakingId',
  harsh_acceleration: 'RuleJackrabbitStartsId',
  harsh_turn: 'RuleHarshCorneringId',
  speeding: 'RulePostedSpeedingId',
  crash: 'RuleEnhancedMajorCollisionId',
}

/** A rule that the fleet made itself, which says nothing of safety. */
export const OWN_RULE = longId('rule', 'own')

export const ruleNames: Readonly<Record<string, string>> = {
  RuleHarshBrakingId: 'Harsh Braking',
  RuleJackrabbitStartsId: 'Hard Acceleration',
  RuleHarshCorneringId: 'Harsh Cornering',
  RulePostedSpeedingId: 'Posted Speeding',
  RuleEnhancedMajorCollisionId: 'Major Collision',
  RuleIdlingId: 'Idling',
  [OWN_RULE]: 'Long stop at a yard',
}

export const exceptionId = (event: SafetyEvent): string => longId('exception', event.number)

export function exceptionEmissions(fleet: Fleet, since: Ms, until: Ms): Emission[] {
  const { world } = fleet
  const from = windowStart(fleet, since)
  return fleet.vehicleNumbers().flatMap((vehicle) => [
    ...world.safetyEvents(vehicle, from, until + 1).flatMap((event) => {
      const toEntity = (version: number) => toExceptionEvent(fleet, event, version)
      const takenBack = (version: number) => ({ ...toEntity(version), state: stateAfter(event) })
      const [id, at] = [exceptionId(event), takenBackAt(fleet, event)]
      return [
        ...emissionsAt([event.arrivedAt, event.updatedAt], since, until, id, toEntity),
        ...emissionsAt(at === null ? [] : [at], since, until, id, takenBack),
      ]
    }),
    ...world.trips(vehicle, from, until + 1).flatMap((trip) => {
      const id = longId('exception', 'of trip', trip.number)
      const toEntity = (version: number) => toIdlingEvent(fleet, trip, id, version)
      return isTold(trip) ? emissionsAt([completedAt(trip), trip.updatedAt], since, until, id, toEntity) : []
    }),
  ])
}

/** Now and then, of trips, there are events that are none of safety. */
const isTold = ({ number, endedAt, idlingMilliseconds }: Trip): boolean =>
  number % 10 === 1 && endedAt !== null && idlingMilliseconds > 0

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

const ruleReference = (id: string) => ({
  state: 'ExceptionRuleStateActiveId',
  reason: 'ExceptionRuleReasonNoneId',
  id,
})

export const rules = (fleet: Fleet): Listed[] =>
  Object.entries(ruleNames).map(([id, name]) => [id, (version) => toRule(fleet, id, name, version)])

const toRule = ({ world }: Fleet, id: string, name: string, version: number): Entity => ({
  activeFrom: dateTime(world.startsAt),
  activeTo: FOREVER,
  baseType: id === OWN_RULE ? 'Custom' : 'Stock',
  comment: '',
  groups: [{ id: 'GroupCompanyId' }],
  name,
  version: versionText(version),
  id,
})

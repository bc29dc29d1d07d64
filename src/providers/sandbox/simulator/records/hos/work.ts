import { MINUTE_MS } from '../../world/durations.ts'
import { between, dice } from '../../world/random.ts'
import type { TimedLeg } from '../../world/vehicle-route.ts'
import { driverLegsOfDay, type DriverAssignment } from './driver-assignment.ts'

/** The duty statuses of 49 CFR 395.2 and 395.28, as the provider names them. */
export type DutyStatus =
  | 'off_duty'
  | 'sleeper_berth'
  | 'driving'
  | 'on_duty'
  | 'yard_move'
  | 'personal_conveyance'
  | 'well_site_waiting'

/** A change of duty status. The status lasts until the next change. */
export interface StatusChange {
  readonly status: DutyStatus
  readonly startMs: number
  /** Note that the driver wrote. */
  readonly note: string | null
}

/** A driver's work on a day, from the first status change to the start of the rest. */
export interface Work {
  readonly changes: readonly StatusChange[]
  readonly endMs: number
}

const YARD_MS = 3 * MINUTE_MS

const inspectionDice = dice('inspection of a shift')
const stopDice = dice('duty at a stop')
const yardDice = dice('yard move after a shift')
const homeDice = dice('way home after a shift')

/**
 * Returns the work of a day: an inspection, legs with stops, and an inspection. Only the smaller part of a stop is
 * work, so that the work of six days stays below 70 hours. Inspections are short, so that the rest around a day off
 * has 34 hours.
 */
export function workOn(assignment: DriverAssignment, day: number): Work | undefined {
  const legs = driverLegsOfDay(assignment, day)
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last) return undefined
  const end = afterLast(assignment, last)
  const driven = legs.flatMap((leg, i) => [
    statusChange('driving', leg.startMs),
    ...atStop(assignment, leg, legs[i + 1]?.startMs),
  ])
  return { changes: [beforeFirst(assignment, first), ...driven, ...end.changes], endMs: end.endMs }
}

function beforeFirst({ driver, route }: DriverAssignment, { number, startMs }: TimedLeg): StatusChange {
  const minutes = between(8, 10, inspectionDice(route.fleet.seed, driver, number))
  return statusChange('on_duty', startMs - wholeSeconds(minutes), 'Pre-trip inspection')
}

function atStop(
  { driver, route }: DriverAssignment,
  { number, endMs }: TimedLeg,
  nextMs: number | undefined,
): StatusChange[] {
  if (nextMs === undefined) return []
  const chance = stopDice(route.fleet.seed, driver, number)
  const workedMs = endMs + wholeSeconds(between(5, 8, stopDice(route.fleet.seed, driver, -number)))
  if (chance < 0.1)
    return [
      statusChange('yard_move', endMs, 'Moved to the dock'),
      statusChange('on_duty', endMs + YARD_MS, 'Unloading'),
      statusChange('off_duty', workedMs),
    ]
  if (chance < 0.15)
    return [
      statusChange('on_duty', endMs, 'Check-in at the well site'),
      statusChange('well_site_waiting', workedMs),
    ]
  const note = chance < 0.4 ? 'Fueling' : chance < 0.7 ? 'Unloading' : 'Loading'
  return [
    statusChange('on_duty', endMs, note),
    statusChange('off_duty', workedMs, chance > 0.85 ? 'Lunch' : null),
  ]
}

/**
 * Returns the work after the last leg: an inspection, sometimes after a yard move or before a drive to lodging.
 */
function afterLast({ driver, route, sleepsInTruck }: DriverAssignment, { number, endMs }: TimedLeg): Work {
  const { seed } = route.fleet
  const doneMs = endMs + wholeSeconds(between(5, 8, inspectionDice(seed, driver, -number)))
  const yard = yardDice(seed, driver, number) < 0.15
  const changes = [
    ...(yard ? [statusChange('yard_move', endMs, 'Parking')] : []),
    statusChange('on_duty', yard ? endMs + YARD_MS : endMs, 'Post-trip inspection'),
  ]
  const homeward = homeDice(seed, driver, number)
  if (sleepsInTruck || homeward >= 0.12) return { changes, endMs: doneMs }
  changes.push(statusChange('personal_conveyance', doneMs, 'To lodging'))
  return { changes, endMs: doneMs + wholeSeconds(between(10, 25, homeward / 0.12)) }
}

export function statusChange(status: DutyStatus, startMs: number, note: string | null = null): StatusChange {
  return { status, startMs, note }
}

function wholeSeconds(minutes: number): number {
  return Math.round(minutes * 60) * 1000
}

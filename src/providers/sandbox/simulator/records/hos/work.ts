import { MINUTE_MS } from '../../world/durations.ts'
import { between, dice } from '../../world/random.ts'
import type { TimedLeg } from '../../world/vehicle-route.ts'
import { legsOfDay, type Shift } from './shift.ts'

/** The duty statuses of 49 CFR 395.2 and 395.28, in the provider's words. */
export type DutyStatus =
  | 'off_duty'
  | 'sleeper_berth'
  | 'driving'
  | 'on_duty'
  | 'yard_move'
  | 'personal_conveyance'
  | 'well_site_waiting'

/** A change of duty status; the status lasts until the next. */
export interface Mark {
  readonly status: DutyStatus
  readonly startMs: number
  /** What the driver wrote of it. */
  readonly note: string | null
}

/** A driver's work of a day, from the first status change to the moment at which the rest begins. */
export interface Work {
  readonly marks: readonly Mark[]
  readonly endMs: number
}

const YARD_MS = 3 * MINUTE_MS

const inspectionDice = dice('inspection of a shift')
const stopDice = dice('duty at a stop')
const yardDice = dice('yard move after a shift')
const homeDice = dice('way home after a shift')

/**
 * Inspection, legs and stops, inspection. Of a stop the smaller part is work, so that six days stay below 70 hours;
 * the inspections are short, so that 34 hours of a day off are left.
 */
export function workOn(shift: Shift, day: number): Work | undefined {
  const legs = legsOfDay(shift, day)
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last) return undefined
  const end = afterLast(shift, last)
  const driven = legs.flatMap((leg, i) => [
    mark('driving', leg.startMs),
    ...atStop(shift, leg, legs[i + 1]?.startMs),
  ])
  return { marks: [beforeFirst(shift, first), ...driven, ...end.marks], endMs: end.endMs }
}

function beforeFirst({ driver, track }: Shift, { number, startMs }: TimedLeg): Mark {
  const minutes = between(8, 10, inspectionDice(track.fleet.seed, driver, number))
  return mark('on_duty', startMs - wholeSeconds(minutes), 'Pre-trip inspection')
}

function atStop({ driver, track }: Shift, { number, endMs }: TimedLeg, nextMs: number | undefined): Mark[] {
  if (nextMs === undefined) return []
  const chance = stopDice(track.fleet.seed, driver, number)
  const workedMs = endMs + wholeSeconds(between(5, 8, stopDice(track.fleet.seed, driver, -number)))
  if (chance < 0.1)
    return [
      mark('yard_move', endMs, 'Moved to the dock'),
      mark('on_duty', endMs + YARD_MS, 'Unloading'),
      mark('off_duty', workedMs),
    ]
  if (chance < 0.15)
    return [mark('on_duty', endMs, 'Check-in at the well site'), mark('well_site_waiting', workedMs)]
  const note = chance < 0.4 ? 'Fueling' : chance < 0.7 ? 'Unloading' : 'Loading'
  return [mark('on_duty', endMs, note), mark('off_duty', workedMs, chance > 0.85 ? 'Lunch' : null)]
}

/** A last inspection, at times after a move through the yard and before a drive to where the driver sleeps. */
function afterLast({ driver, track, sleepsInTruck }: Shift, { number, endMs }: TimedLeg): Work {
  const { seed } = track.fleet
  const doneMs = endMs + wholeSeconds(between(5, 8, inspectionDice(seed, driver, -number)))
  const yard = yardDice(seed, driver, number) < 0.15
  const marks = [
    ...(yard ? [mark('yard_move', endMs, 'Parking')] : []),
    mark('on_duty', yard ? endMs + YARD_MS : endMs, 'Post-trip inspection'),
  ]
  const homeward = homeDice(seed, driver, number)
  if (sleepsInTruck || homeward >= 0.12) return { marks, endMs: doneMs }
  marks.push(mark('personal_conveyance', doneMs, 'To lodging'))
  return { marks, endMs: doneMs + wholeSeconds(between(10, 25, homeward / 0.12)) }
}

export function mark(status: DutyStatus, startMs: number, note: string | null = null): Mark {
  return { status, startMs, note }
}

function wholeSeconds(minutes: number): number {
  return Math.round(minutes * 60) * 1000
}

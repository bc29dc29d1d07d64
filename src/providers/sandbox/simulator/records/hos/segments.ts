import { HOUR_MS } from '../../world/durations.ts'
import { WORLD_START_MS } from '../../world/fleet.ts'
import { dayOf, type Shift } from './shift.ts'
import { type Mark, mark, type Work, workOn } from './work.ts'

/** A time in one duty status. The segments of a driver follow each other without a gap. */
export interface Segment extends Mark {
  readonly endMs: number
  /** Of the vehicle's days, counted since the world began; -1 before the first. */
  readonly day: number
  /** Its place among the segments of the day. */
  readonly index: number
}

/** A night in the truck begins and ends out of the berth. */
const EVENING_MS = (2 / 3) * HOUR_MS
/** Who is off for longer than this goes home. */
const MAX_NIGHT_MS = 20 * HOUR_MS

/** The duty statuses of a driver, from the one at a moment on, for ever. */
export function* segmentsFrom(shift: Shift, timeMs: number): Generator<Segment> {
  if (shift.silent) {
    yield { ...mark('off_duty', WORLD_START_MS), endMs: Number.POSITIVE_INFINITY, day: -1, index: 0 }
    return
  }
  let { day, work } = workBefore(shift, timeMs)
  for (;;) {
    const next = workFrom(shift, day + 1)
    const nextMs = next.work.marks[0]!.startMs
    const marks = [...work.marks, ...restBetween(shift, work.endMs, nextMs)]
    for (const [index, told] of marks.entries()) {
      const endMs = marks[index + 1]?.startMs ?? nextMs
      if (endMs > timeMs) yield { ...told, endMs, day, index }
    }
    ;({ day, work } = next)
  }
}

/** The status changes of a rest: at home, or in the berth of the truck. */
function restBetween({ sleepsInTruck }: Shift, startMs: number, endMs: number): Mark[] {
  if (!sleepsInTruck || endMs - startMs > MAX_NIGHT_MS) return [mark('off_duty', startMs)]
  return [
    mark('off_duty', startMs),
    mark('sleeper_berth', startMs + EVENING_MS),
    mark('off_duty', endMs - EVENING_MS),
  ]
}

/** The work that began last at a moment; before a driver's first day, a rest since the world began. */
function workBefore(shift: Shift, timeMs: number): { day: number; work: Work } {
  // Work begins with an inspection, which may be shortly before the day.
  for (let day = dayOf(shift, timeMs) + 1; day >= 0; day--) {
    const work = workOn(shift, day)
    if (work && work.marks[0]!.startMs <= timeMs) return { day, work }
  }
  return { day: -1, work: { marks: [], endMs: WORLD_START_MS } }
}

/** The first work of a day or of one after it: no driver has two days off in a row. */
function workFrom(shift: Shift, first: number): { day: number; work: Work } {
  for (let day = first; ; day++) {
    const work = workOn(shift, day)
    if (work) return { day, work }
  }
}

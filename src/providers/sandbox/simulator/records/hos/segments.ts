import { HOUR_MS } from '../../world/durations.ts'
import { WORLD_START_MS } from '../../world/fleet.ts'
import { dayOf, type DriverAssignment } from './driver-assignment.ts'
import { type StatusChange, statusChange, type Work, workOn } from './work.ts'

/** A period in one duty status. The segments of a driver are contiguous. */
export interface Segment extends StatusChange {
  readonly endMs: number
  /** Day of the work that contains or precedes the segment, counted as in `TimedLeg`; -1 before the first work. */
  readonly day: number
  /** Index of the segment in its day. */
  readonly index: number
}

/** Off-duty time outside of the berth, before and again after the sleep of a night in the truck. */
const EVENING_MS = (2 / 3) * HOUR_MS
/** Longest rest in the truck. For a longer rest, the driver goes home. */
export const MAX_NIGHT_MS = 20 * HOUR_MS

/** Returns all segments of a driver from the one at a moment on. There is no last one. */
export function* segmentsFrom(assignment: DriverAssignment, timeMs: number): Generator<Segment> {
  if (assignment.neverReports) {
    yield { ...statusChange('off_duty', WORLD_START_MS), endMs: Number.POSITIVE_INFINITY, day: -1, index: 0 }
    return
  }
  let { day, work } = workBefore(assignment, timeMs)
  for (;;) {
    const next = workFrom(assignment, day + 1)
    const nextMs = next.work.changes[0]!.startMs
    const changes = [...work.changes, ...restBetween(assignment, work.endMs, nextMs)]
    for (const [index, change] of changes.entries()) {
      const endMs = changes[index + 1]?.startMs ?? nextMs
      if (endMs > timeMs) yield { ...change, endMs, day, index }
    }
    ;({ day, work } = next)
  }
}

/** Returns the status changes of a rest, at home or in the berth of the truck. */
function restBetween({ sleepsInTruck }: DriverAssignment, startMs: number, endMs: number): StatusChange[] {
  if (!sleepsInTruck || endMs - startMs > MAX_NIGHT_MS) return [statusChange('off_duty', startMs)]
  return [
    statusChange('off_duty', startMs),
    statusChange('sleeper_berth', startMs + EVENING_MS),
    statusChange('off_duty', endMs - EVENING_MS),
  ]
}

/**
 * Returns the last work that began at or before a moment. Before the first work, it returns an empty one that ends
 * at the start of the world.
 */
function workBefore(assignment: DriverAssignment, timeMs: number): { day: number; work: Work } {
  // The search starts a day later: work begins with an inspection, which may start shortly before its day.
  for (let day = dayOf(assignment, timeMs) + 1; day >= 0; day--) {
    const work = workOn(assignment, day)
    if (work && work.changes[0]!.startMs <= timeMs) return { day, work }
  }
  return { day: -1, work: { changes: [], endMs: WORLD_START_MS } }
}

/** Returns the first work on or after a day. No driver has two days off in a row, so the search is short. */
function workFrom(assignment: DriverAssignment, firstDay: number): { day: number; work: Work } {
  for (let day = firstDay; ; day++) {
    const work = workOn(assignment, day)
    if (work) return { day, work }
  }
}

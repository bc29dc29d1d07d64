import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../world/durations.ts'
import { WORLD_START_MS } from '../../world/fleet.ts'
import { idOf } from '../ids.ts'
import type { World } from '../world.ts'
import { segmentsFrom } from './segments.ts'
import { dayOf, driverLegsOfDay, type DriverAssignment, assignmentOf } from './driver-assignment.ts'
import type { DutyStatus } from './work.ts'

export interface ClocksRecord {
  driverId: string
  status: DutyStatus
  /** Remaining seconds before the driver must stop, by the US rules for property carriers (49 CFR 395.3). */
  remainingSeconds: { cycle: number; shift: number; drive: number; break: number }
}

const LIMIT_MS = { cycle: 70 * HOUR_MS, shift: 14 * HOUR_MS, drive: 11 * HOUR_MS, break: 8 * HOUR_MS }
/** Rest that resets the cycle. */
const RESTART_MS = 34 * HOUR_MS
/** Rest that resets the shift and the driving time. */
const DAILY_REST_MS = 10 * HOUR_MS
/** Time without driving that resets the time to the next break. */
const BREAK_MS = 30 * MINUTE_MS

/** Statuses that count as rest. */
const OFF_DUTY_STATUSES: ReadonlySet<DutyStatus> = new Set([
  'off_duty',
  'sleeper_berth',
  'personal_conveyance',
  'well_site_waiting',
])

/** Returns the current clocks of a driver; undefined for an inactive driver. */
export function clocksRecord({ fleet, edits, nowMs }: World, driver: number): ClocksRecord | undefined {
  const assignment = assignmentOf(fleet, driver)
  if (!assignment || edits.removedAt('drivers', driver) !== undefined) return undefined
  const clocks = createClocks()
  let status: DutyStatus = 'off_duty'
  for (const segment of segmentsFrom(assignment, lastDayOffMs(assignment, nowMs))) {
    if (segment.startMs > nowMs) break
    status = segment.status
    clocks.add(status, segment.startMs, Math.min(segment.endMs, nowMs))
  }
  return { driverId: idOf('drv', fleet, driver), status, remainingSeconds: clocks.remaining(nowMs) }
}

/**
 * Returns a moment of the last day off whose rest has ended, or the start of the world. That rest reset all clocks,
 * so earlier segments do not matter.
 */
function lastDayOffMs(assignment: DriverAssignment, nowMs: number): number {
  // Not yesterday: the rest of a night driver ends in the middle of the day after the day off.
  let day = dayOf(assignment, nowMs) - 2
  while (day >= 0 && driverLegsOfDay(assignment, day).length > 0) day--
  return day < 0 ? WORLD_START_MS : assignment.route.originMs + day * DAY_MS
}

/** Creates clocks that count their used time. A clock is reset after the rest that its rule requires. */
function createClocks() {
  const used = { cycle: 0, drive: 0, break: 0 }
  /** Rest since the last work. */
  let restedMs = 0
  /** Time since the last driving. */
  let pausedMs = 0
  /** Start of the current shift; null before its first work. */
  let shiftStartMs: number | null = null

  const startWork = (startMs: number) => {
    resetRestedClocks()
    restedMs = 0
    shiftStartMs ??= startMs
  }
  const resetRestedClocks = () => {
    if (restedMs >= RESTART_MS) used.cycle = 0
    if (restedMs >= DAILY_REST_MS) [shiftStartMs, used.drive] = [null, 0]
    if (pausedMs >= BREAK_MS) used.break = 0
  }

  return {
    /** Adds a segment. Segments must be contiguous. */
    add(status: DutyStatus, startMs: number, endMs: number) {
      const ms = endMs - startMs
      if (OFF_DUTY_STATUSES.has(status)) restedMs += ms
      else {
        startWork(startMs)
        used.cycle += ms
      }
      if (status === 'driving') {
        ;[used.drive, used.break, pausedMs] = [used.drive + ms, used.break + ms, 0]
      } else pausedMs += ms
    },
    remaining(nowMs: number) {
      resetRestedClocks()
      const remainingSeconds = (clock: keyof typeof LIMIT_MS, usedMs: number) =>
        Math.max(0, Math.floor((LIMIT_MS[clock] - usedMs) / 1000))
      return {
        cycle: remainingSeconds('cycle', used.cycle),
        shift: remainingSeconds('shift', shiftStartMs === null ? 0 : nowMs - shiftStartMs),
        drive: remainingSeconds('drive', used.drive),
        break: remainingSeconds('break', used.break),
      }
    },
  }
}

import { DAY_MS, HOUR_MS } from './durations.ts'
import { type DrawnLeg, legsOfDay } from './shifts.ts'

/** A plan repeats after so many days: whole weeks, so that a day off stays on its day of the week. */
export const CYCLE_DAYS = 28
export const CYCLE_MS = CYCLE_DAYS * DAY_MS

export const PLAN_VARIANTS = 8

export interface Leg extends DrawnLeg {
  readonly miles: number
  /** What the plan had driven when the leg starts. */
  readonly milesBefore: number
  readonly drivingMsBefore: number
}

/** Four weeks of work. A hundred plans serve every vehicle of every fleet. */
export interface WorkSchedule {
  readonly legs: readonly Leg[]
  /** The first leg of each day, and after the last day the number of legs. */
  readonly firstLegOfDay: readonly number[]
  readonly miles: number
  readonly drivingMs: number
  readonly longestDayMiles: number
}

const schedules = new Map<number, WorkSchedule>()

/**
 * The plan of that variant (below PLAN_VARIANTS) with that day off in every week (0 is Monday), for a driver
 * alone or for two who share the vehicle.
 */
export function workScheduleOf(variant: number, dayOff: number, shared: boolean): WorkSchedule {
  const key = (variant * 7 + dayOff) * 2 + Number(shared)
  let plan = schedules.get(key)
  if (!plan) schedules.set(key, (plan = buildSchedule(key, dayOff, shared)))
  return plan
}

function buildSchedule(seed: number, dayOff: number, shared: boolean): WorkSchedule {
  const legs: Leg[] = []
  const firstLegOfDay: number[] = []
  let miles = 0
  let drivingMs = 0
  let longestDayMiles = 0
  for (let day = 0; day < CYCLE_DAYS; day++) {
    const milesBeforeDay = miles
    firstLegOfDay.push(legs.length)
    for (const drawn of day % 7 === dayOff ? [] : legsOfDay(seed, day, shared)) {
      const durationMs = drawn.endMs - drawn.startMs
      const leg = {
        ...drawn,
        miles: drawn.meanMph * (durationMs / HOUR_MS),
        milesBefore: miles,
        drivingMsBefore: drivingMs,
      }
      legs.push(leg)
      miles += leg.miles
      drivingMs += durationMs
    }
    longestDayMiles = Math.max(longestDayMiles, miles - milesBeforeDay)
  }
  firstLegOfDay.push(legs.length)
  return { legs, firstLegOfDay, miles, drivingMs, longestDayMiles }
}

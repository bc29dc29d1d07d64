import { DAY_MS, HOUR_MS } from './durations.ts'
import { type GeneratedLeg, legsOfDay } from './shifts.ts'

/** Length of a schedule, which then repeats. It is whole weeks, so that a day off stays on its weekday. */
export const CYCLE_DAYS = 28
export const CYCLE_MS = CYCLE_DAYS * DAY_MS

export const SCHEDULE_VARIANTS = 8

export interface Leg extends GeneratedLeg {
  readonly miles: number
  /** Distance from the start of the schedule to the start of the leg. */
  readonly milesBefore: number
  /** Driving time from the start of the schedule to the start of the leg. */
  readonly drivingMsBefore: number
}

/** Four weeks of work of a vehicle. All vehicles of all fleets share 112 schedules. */
export interface WorkSchedule {
  readonly legs: readonly Leg[]
  /** Index of the first leg of each day; the last entry is the number of legs. */
  readonly firstLegOfDay: readonly number[]
  readonly miles: number
  readonly drivingMs: number
  readonly longestDayMiles: number
}

const schedules = new Map<number, WorkSchedule>()

/**
 * Returns a schedule. `variant` is from 0 to below SCHEDULE_VARIANTS. `dayOff` is the weekly day off; 0 is Monday. A
 * shared schedule is for two drivers of one vehicle.
 */
export function workScheduleOf(variant: number, dayOff: number, shared: boolean): WorkSchedule {
  const key = (variant * 7 + dayOff) * 2 + Number(shared)
  let schedule = schedules.get(key)
  if (!schedule) schedules.set(key, (schedule = buildSchedule(key, dayOff, shared)))
  return schedule
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
    for (const generated of day % 7 === dayOff ? [] : legsOfDay(seed, day, shared)) {
      const durationMs = generated.endMs - generated.startMs
      const leg = {
        ...generated,
        miles: generated.meanMph * (durationMs / HOUR_MS),
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

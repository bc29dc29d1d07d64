import { type CalendarSpan, daysIn, timeZoneOf } from '../../world/calendar.ts'
import { HOUR_MS } from '../../world/durations.ts'
import { rounded } from '../../world/road-network/geometry.ts'
import { motionAt } from '../../world/motion.ts'
import { idOf, timestamp } from '../ids.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { segmentsFrom } from './segments.ts'
import type { DriverAssignment } from './driver-assignment.ts'
import type { DutyStatus } from './work.ts'

export interface DailyLogRecord {
  id: string
  driverId: string
  date: string
  seconds: {
    onDuty: number
    offDuty: number
    driving: number
    sleeperBerth: number
    yardMove: number
    personalConveyance: number
    wellSiteWaiting: number
  }
  miles: { total: number; driving: number; yardMove: number; personalConveyance: number }
  updatedAt: string
}

// The simulated odometer has no yard moves and no personal conveyance. Their distance is time at these speeds.
const YARD_MPH = 3
const CONVEYANCE_MPH = 18

/**
 * Returns the daily logs of a driver that overlap a period. Days are those of the fleet's time zone. The current
 * day is incomplete.
 */
export function* dailyLogs(
  assignment: DriverAssignment,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<DailyLogRecord>> {
  for (const day of daysIn(timeZoneOf(assignment.route.fleet), sinceMs, untilMs))
    yield { timeMs: day.startMs, record: dailyLog(assignment, day, nowMs) }
}

function dailyLog(
  assignment: DriverAssignment,
  { name, startMs, endMs }: CalendarSpan,
  nowMs: number,
): DailyLogRecord {
  const { fleet } = assignment.route
  const lastMs = Math.min(endMs, nowMs)
  const { ms, miles } = totalsOf(assignment, startMs, lastMs)
  const seconds = (status: DutyStatus) => Math.round((ms.get(status) ?? 0) / 1000)
  const hours = (status: DutyStatus) => (ms.get(status) ?? 0) / HOUR_MS
  const yardMove = rounded(hours('yard_move') * YARD_MPH, 2)
  const personalConveyance = rounded(hours('personal_conveyance') * CONVEYANCE_MPH, 2)
  const driving = rounded(miles, 2)
  return {
    id: `${idOf('day', fleet, assignment.driver)}-${name}`,
    driverId: idOf('drv', fleet, assignment.driver),
    date: name,
    seconds: {
      onDuty: seconds('on_duty'),
      offDuty: seconds('off_duty'),
      driving: seconds('driving'),
      sleeperBerth: seconds('sleeper_berth'),
      yardMove: seconds('yard_move'),
      personalConveyance: seconds('personal_conveyance'),
      wellSiteWaiting: seconds('well_site_waiting'),
    },
    miles: {
      total: rounded(driving + yardMove + personalConveyance, 2),
      driving,
      yardMove,
      personalConveyance,
    },
    updatedAt: timestamp(lastMs),
  }
}

/** Returns the time of a driver in each status, and the distance driven, between two moments. */
function totalsOf(assignment: DriverAssignment, fromMs: number, toMs: number) {
  const ms = new Map<DutyStatus, number>()
  const milesAt = (timeMs: number) => motionAt(assignment.route, timeMs).miles
  let miles = 0
  for (const { status, startMs, endMs } of segmentsFrom(assignment, fromMs)) {
    const [start, end] = [Math.max(startMs, fromMs), Math.min(endMs, toMs)]
    if (start >= end) break
    ms.set(status, (ms.get(status) ?? 0) + end - start)
    if (status === 'driving') miles += milesAt(end) - milesAt(start)
  }
  return { ms, miles }
}

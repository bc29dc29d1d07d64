import { MAX_FIX_INTERVAL_MS } from './mileage/track-gaps.ts'
import type { MonthCalendar } from './mileage/calendar-months.ts'
import type { TimeWindow } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'

/** Key of a vehicle. */
export interface VehicleKey {
  readonly connectionId: string
  readonly applicationId: string
  readonly id: string
}

/**
 * Selects new points: located at or after `locatedFrom`, and written with a version stamp later than `modifiedAfter`.
 * Odometer readings are selected alike.
 */
export interface NewPoints {
  readonly locatedFrom: Instant
  readonly modifiedAfter: Instant
}

/**
 * Returns the period from the first to the last month whose totals the new points and odometer readings may change, in
 * whole months. Null if there are none.
 */
export async function affectedPeriod(
  db: Rows,
  vehicle: VehicleKey,
  newPoints: NewPoints,
  calendar: MonthCalendar,
): Promise<TimeWindow | null> {
  const { locatedFrom, modifiedAfter } = newPoints
  const isNew = '`locatedAt` >= ? AND `modifiedAt` > ?'
  const points = await boundsOf(db, vehicle, isNew, [locatedFrom, modifiedAfter])
  const measured = await boundsOfMeasuredFixes(db, vehicle, newPoints)
  const first = least(points.first, measured.first)
  const last = greatest(points.last, measured.last)
  if (first === null || last === null) return null
  const { previous, next } = await neighborsOf(db, vehicle, { from: first, to: last + 1 })
  // A gap counts in the month of its end. A continuous segment over the end of a month counts in both months.
  const isContinuous = previous !== null && first - previous <= MAX_FIX_INTERVAL_MS
  return {
    from: calendar.monthAt(isContinuous ? previous : first).startsAt,
    to: calendar.monthAt(next ?? last).endsAt,
  }
}

/** Returns the times of the last fix before a period and of the first fix after it. */
export async function neighborsOf(db: Rows, vehicle: VehicleKey, { from, to }: TimeWindow) {
  const { last: previous } = await boundsOf(db, vehicle, '`locatedAt` < ?', [from])
  const { first: next } = await boundsOf(db, vehicle, '`locatedAt` >= ?', [to])
  return { previous, next }
}

interface Bounds {
  readonly first: Instant | null
  readonly last: Instant | null
}

/**
 * Returns the bounds of the fixes whose odometer values the new readings may change. A fix gets its value from the
 * readings before and after it.
 */
async function boundsOfMeasuredFixes(
  db: Rows,
  vehicle: VehicleKey,
  { locatedFrom, modifiedAfter }: NewPoints,
): Promise<Bounds> {
  const isNew = '`timestamp` >= ? AND `modifiedAt` > ?'
  const { first, last } = await boundsOfReadings(db, vehicle, isNew, [locatedFrom, modifiedAfter])
  if (first === null || last === null) return { first, last }
  const { last: previous } = await boundsOfReadings(db, vehicle, '`timestamp` < ?', [first])
  const { first: next } = await boundsOfReadings(db, vehicle, '`timestamp` > ?', [last])
  const from = Math.max(previous ?? first, locatedFrom)
  return boundsOf(db, vehicle, '`locatedAt` >= ? AND `locatedAt` <= ?', [from, next ?? last])
}

/** Returns the times of the first and the last odometer reading that meet a condition. */
const boundsOfReadings = (db: Rows, vehicle: VehicleKey, where: string, values: readonly Instant[]) =>
  boundsIn(db, 'vehicle_stat_logs', 'timestamp', vehicle, `\`type\` = 'odometer' AND ${where}`, values)

/** Returns the times of the first and the last fix that meet a condition. */
const boundsOf = (db: Rows, vehicle: VehicleKey, where: string, values: readonly Instant[]) =>
  boundsIn(db, 'vehicle_locations', 'locatedAt', vehicle, where, values)

async function boundsIn(
  db: Rows,
  table: 'vehicle_locations' | 'vehicle_stat_logs',
  time: 'locatedAt' | 'timestamp',
  { connectionId, applicationId, id }: VehicleKey,
  where: string,
  values: readonly Instant[],
): Promise<Bounds> {
  const [row] = await db.rows<Bounds>(
    `SELECT MIN(\`${time}\`) AS \`first\`, MAX(\`${time}\`) AS \`last\` FROM \`${table}\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`vehicleId\` = ? AND ${where}`,
    [connectionId, applicationId, id, ...values],
  )
  return { first: instantOf(row?.first), last: instantOf(row?.last) }
}

const instantOf = (value: number | null | undefined): Instant | null => (value == null ? null : Number(value))

const least = (a: Instant | null, b: Instant | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))

const greatest = (a: Instant | null, b: Instant | null) =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

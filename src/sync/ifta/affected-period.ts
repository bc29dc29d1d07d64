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
 */
export interface NewPoints {
  readonly locatedFrom: Instant
  readonly modifiedAfter: Instant
}

/**
 * Returns the period from the first to the last month whose totals the new points may change, in whole months. Null if
 * there are no new points.
 */
export async function affectedPeriod(
  db: Rows,
  vehicle: VehicleKey,
  { locatedFrom, modifiedAfter }: NewPoints,
  calendar: MonthCalendar,
): Promise<TimeWindow | null> {
  const isNew = '`locatedAt` >= ? AND `modifiedAt` > ?'
  const { first, last } = await boundsOf(db, vehicle, isNew, [locatedFrom, modifiedAfter])
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

async function boundsOf(db: Rows, vehicle: VehicleKey, where: string, values: readonly Instant[]) {
  const [row] = await db.rows<{ first: number | null; last: number | null }>(
    `SELECT MIN(\`locatedAt\`) AS \`first\`, MAX(\`locatedAt\`) AS \`last\` FROM \`vehicle_locations\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`vehicleId\` = ? AND ${where}`,
    [vehicle.connectionId, vehicle.applicationId, vehicle.id, ...values],
  )
  return { first: instantOf(row?.first), last: instantOf(row?.last) }
}

const instantOf = (value: number | null | undefined): Instant | null => (value == null ? null : Number(value))

import { SEEN_MS } from './mileage/track-gaps.ts'
import type { MonthCalendar } from './mileage/calendar-months.ts'
import type { TimeWindow } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'

/** Whose track it is. */
export interface VehicleKey {
  readonly connectionId: string
  readonly id: string
}

/** Points that are new: those of a later stamp, looked for from a time on. */
export interface NewPoints {
  readonly locatedFrom: Instant
  readonly modifiedAfter: Instant
}

/** The whole months of which new points change the sums, from the first to the last; null where there are none. */
export async function affectedPeriod(
  db: Rows,
  vehicle: VehicleKey,
  { locatedFrom, modifiedAfter }: NewPoints,
  calendar: MonthCalendar,
): Promise<TimeWindow | null> {
  const isNew = '`locatedAt` >= ? AND `modifiedAt` > ?'
  const { first, last } = await endsOf(db, vehicle, isNew, [locatedFrom, modifiedAfter])
  if (first === null || last === null) return null
  const { previous, next } = await neighborsOf(db, vehicle, { from: first, to: last + 1 })
  // What was driven to a fix counts in its month, but for a drive over midnight, which is in both.
  const isOneDrive = previous !== null && first - previous <= SEEN_MS
  return {
    from: calendar.monthAt(isOneDrive ? previous : first).startsAt,
    to: calendar.monthAt(next ?? last).endsAt,
  }
}

/** When a vehicle was seen last before a period, and first after it. */
export async function neighborsOf(db: Rows, vehicle: VehicleKey, { from, to }: TimeWindow) {
  const { last: previous } = await endsOf(db, vehicle, '`locatedAt` < ?', [from])
  const { first: next } = await endsOf(db, vehicle, '`locatedAt` >= ?', [to])
  return { previous, next }
}

async function endsOf(db: Rows, vehicle: VehicleKey, where: string, values: readonly Instant[]) {
  const [row] = await db.rows<{ first: number | null; last: number | null }>(
    `SELECT MIN(\`locatedAt\`) AS \`first\`, MAX(\`locatedAt\`) AS \`last\` FROM \`vehicle_locations\`
      WHERE \`connectionId\` = ? AND \`vehicleId\` = ? AND ${where}`,
    [vehicle.connectionId, vehicle.id, ...values],
  )
  return { first: instantOf(row?.first), last: instantOf(row?.last) }
}

const instantOf = (value: number | null | undefined): Instant | null => (value == null ? null : Number(value))

import { DAY_MS } from '../../../domain/models/lookback.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Database, Rows } from '../../../storage/database.ts'
import { byIndex } from '../../../storage/sql/dialect.ts'
import {
  and,
  atLeast,
  atMost,
  equal,
  type Tenant,
  tenantWhere,
  type Where,
} from '../../../storage/sql/where.ts'
import type { FuelLevelFacts } from '../rules/purchase-facts.ts'
import type { LocationRow } from './vehicle-row.ts'

// Points of a vehicle's time series around a time. Each is found by the primary key or an index.

/** Columns of a location in the series. It has no engine state and no fuel level. */
type SeriesLocation = Omit<LocationRow, 'engineState' | 'fuelPrimaryPercentage' | 'fuelSecondaryPercentage'>

const sides = {
  before: '`locatedAt` <= ? ORDER BY `locatedAt` DESC',
  after: '`locatedAt` > ? ORDER BY `locatedAt`',
} as const

/** Returns the location of a vehicle that is closest to a time, on one side of it. `before` includes the time. */
export async function locationAt(
  db: Rows,
  tenant: Tenant,
  vehicleId: string,
  {
    at,
    side,
    receivedBy,
  }: { readonly at: Instant; readonly side: keyof typeof sides; readonly receivedBy?: ReceivedBy },
): Promise<LocationRow | null> {
  const received = receivedWhere('locatedAt', at, receivedBy)
  const where = and(tenantWhere(tenant), equal('vehicleId', vehicleId), received)
  const [row] = await db.rows<SeriesLocation>(
    `SELECT longitude, latitude, locatedAt, modifiedAt, speed, driverId FROM vehicle_locations
      WHERE ${where.sql} AND ${sides[side]} LIMIT 1`,
    [...where.parameters, at],
  )
  if (!row) return null
  return { ...row, engineState: null, fuelPrimaryPercentage: null, fuelSecondaryPercentage: null }
}

/** Returns the last fuel level of a vehicle that was measured at a time or before it. */
export async function fuelLevelBefore(
  db: Pick<Database, 'rows' | 'dialect'>,
  tenant: Tenant,
  vehicleId: string,
  at: Instant,
  receivedBy?: ReceivedBy,
): Promise<FuelLevelFacts | null> {
  const received = receivedWhere('timestamp', at, receivedBy)
  const where = and(tenantWhere(tenant), equal('vehicleId', vehicleId), received)
  const hint = byIndex(db.dialect, 'vehicle_stat_logs', ['vehicleId', 'type', 'timestamp'])
  const [row] = await db.rows<{ timestamp: number; value: number }>(
    `SELECT \`timestamp\`, \`value\` FROM vehicle_stat_logs${hint}
      WHERE ${where.sql} AND \`type\` = 'fuel_level' AND \`timestamp\` <= ? AND \`value\` IS NOT NULL
      ORDER BY \`timestamp\` DESC LIMIT 1`,
    [...where.parameters, at],
  )
  return row ? { percent: row.value, measuredAt: row.timestamp } : null
}

/** Selects the points that had been received by a time. */
export interface ReceivedBy {
  readonly at: Instant
  /** When the connection was created. Nothing was received before it. */
  readonly connectedAt: Instant
  /** If `at` is before the connection, points count as received this time after their measurement. */
  readonly delayMs: number
}

/**
 * Returns the condition of points from the day before a time that had been received; null if it does not matter when they
 * came. No rule accepts an older point, and without a limit a search could read the whole series of a vehicle.
 */
function receivedWhere(
  measuredAt: 'locatedAt' | 'timestamp',
  before: Instant,
  receivedBy: ReceivedBy | undefined,
): Where | null {
  if (!receivedBy) return null
  const { at, connectedAt, delayMs } = receivedBy
  const received = at < connectedAt ? atMost(measuredAt, at - delayMs) : atMost('modifiedAt', at)
  return and(atLeast(measuredAt, before - DAY_MS)!, received)
}

/** Maximum number of locations from which the delay of a vehicle is measured. */
const DELAY_POINTS = 100

/** Returns the delays between the measurement and the receipt of the last locations of a vehicle, in milliseconds. */
export async function recentDelays(
  db: Rows,
  tenant: Tenant,
  vehicleId: string,
  { from, receivedBy }: { readonly from: Instant; readonly receivedBy: Instant },
): Promise<number[]> {
  const where = tenantWhere(tenant)
  const rows = await db.rows<{ delayMs: number }>(
    `SELECT modifiedAt - locatedAt AS delayMs FROM vehicle_locations
      WHERE ${where.sql} AND vehicleId = ? AND locatedAt >= ? AND modifiedAt <= ?
      ORDER BY locatedAt DESC LIMIT ${DELAY_POINTS}`,
    [...where.parameters, vehicleId, from, receivedBy],
  )
  return rows.map(({ delayMs }) => Number(delayMs))
}

import type { Instant } from '../../../domain/time.ts'
import type { Database, Rows } from '../../../storage/database.ts'
import { byIndex } from '../../../storage/sql/dialect.ts'
import { type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import type { FuelLevelFacts } from '../rules/purchase-facts.ts'
import type { LocationRow } from './vehicle-row.ts'

// Points of a vehicle's time series around a time. Each is found by the primary key or an index.

type Track = Omit<LocationRow, 'engineState' | 'fuelPrimaryPercentage' | 'fuelSecondaryPercentage'>

const sides = {
  before: '`locatedAt` <= ? ORDER BY `locatedAt` DESC',
  after: '`locatedAt` > ? ORDER BY `locatedAt`',
} as const

/** Returns the location of a vehicle that was measured closest to a time, on one side of it. */
export async function locationAt(
  db: Rows,
  caller: Tenant,
  vehicleId: string,
  { at, side }: { readonly at: Instant; readonly side: keyof typeof sides },
): Promise<LocationRow | null> {
  const where = tenantWhere(caller)
  const [row] = await db.rows<Track>(
    `SELECT longitude, latitude, locatedAt, modifiedAt, speed, driverId FROM vehicle_locations
      WHERE ${where.sql} AND vehicleId = ? AND ${sides[side]} LIMIT 1`,
    [...where.parameters, vehicleId, at],
  )
  if (!row) return null
  return { ...row, engineState: null, fuelPrimaryPercentage: null, fuelSecondaryPercentage: null }
}

/** Returns the last fuel level of a vehicle that was measured at a time or before it. */
export async function fuelLevelBefore(
  db: Pick<Database, 'rows' | 'dialect'>,
  caller: Tenant,
  vehicleId: string,
  at: Instant,
): Promise<FuelLevelFacts | null> {
  const where = tenantWhere(caller)
  const hint = byIndex(db.dialect, 'vehicle_stat_logs', ['vehicleId', 'type', 'timestamp'])
  const [row] = await db.rows<{ timestamp: number; value: number }>(
    `SELECT \`timestamp\`, \`value\` FROM vehicle_stat_logs${hint}
      WHERE ${where.sql} AND vehicleId = ? AND \`type\` = 'fuel_level' AND \`timestamp\` <= ? AND \`value\` IS NOT NULL
      ORDER BY \`timestamp\` DESC LIMIT 1`,
    [...where.parameters, vehicleId, at],
  )
  return row ? { percent: row.value, measuredAt: row.timestamp } : null
}

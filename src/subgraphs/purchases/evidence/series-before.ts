import type { Instant } from '../../../domain/time.ts'
import type { Rows } from '../../../storage/database.ts'
import { type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import type { FuelLevelFacts } from '../rules/purchase-facts.ts'
import type { LocationRow } from './vehicle-row.ts'

// The last points of a vehicle's time series at a time. Each is found by the primary key or an index.

type Track = Omit<LocationRow, 'engineState' | 'fuelPrimaryPercentage' | 'fuelSecondaryPercentage'>

/** Returns the last location of a vehicle that was measured at a time or before it. */
export async function locationBefore(
  db: Rows,
  caller: Tenant,
  vehicleId: string,
  at: Instant,
): Promise<LocationRow | null> {
  const where = tenantWhere(caller)
  const [row] = await db.rows<Track>(
    `SELECT longitude, latitude, locatedAt, modifiedAt, speed, driverId FROM vehicle_locations
      WHERE ${where.sql} AND vehicleId = ? AND locatedAt <= ? ORDER BY locatedAt DESC LIMIT 1`,
    [...where.parameters, vehicleId, at],
  )
  if (!row) return null
  return {
    ...row,
    locatedAt: Number(row.locatedAt),
    modifiedAt: Number(row.modifiedAt),
    engineState: null,
    fuelPrimaryPercentage: null,
    fuelSecondaryPercentage: null,
  }
}

/** Returns the last fuel level of a vehicle that was measured at a time or before it. */
export async function fuelLevelBefore(
  db: Rows,
  caller: Tenant,
  vehicleId: string,
  at: Instant,
): Promise<FuelLevelFacts | null> {
  const where = tenantWhere(caller)
  const [row] = await db.rows<{ timestamp: number; value: number }>(
    `SELECT \`timestamp\`, \`value\` FROM vehicle_stat_logs
      WHERE ${where.sql} AND vehicleId = ? AND \`type\` = 'fuel_level' AND \`timestamp\` <= ? AND \`value\` IS NOT NULL
      ORDER BY \`timestamp\` DESC LIMIT 1`,
    [...where.parameters, vehicleId, at],
  )
  return row ? { percent: row.value, measuredAt: Number(row.timestamp) } : null
}

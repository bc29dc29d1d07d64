import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Database, Rows } from '../../../storage/database.ts'
import { byIndex } from '../../../storage/sql/dialect.ts'
import { type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import { LEVEL_WINDOW_MS } from '../rules/fuel-levels.ts'
import type { RefillFacts } from '../rules/purchase-facts.ts'
import { READ_AFTER_MS } from './schedule.ts'

/** Points of one minute are read as one. */
const MINUTE_MS = 60_000
/** Positions of a vehicle that stands differ by less. */
const STOP_KILOMETERS = 0.3
/** In a longer time without a position, the vehicle may have driven. */
const MAX_GAP_MS = 90 * MINUTE_MS
/** Positions of this time before the capture show where the vehicle has stopped. */
const STOPPED_BEFORE_MS = 15 * MINUTE_MS
/** In a longer time around the capture without a position, the vehicle may have filled up in another place. */
const MAX_PUMP_GAP_MS = 35 * MINUTE_MS

export interface ReadRefill {
  readonly refill: RefillFacts
  /** Where the vehicle stood at the time of the capture; null if it is not known to have stood. */
  readonly stoodAt: Point | null
}

/** Reads what a vehicle reported around a capture, with two statements: at most one reading and one position a minute. */
export async function readRefill(
  db: Pick<Database, 'rows' | 'dialect'>,
  tenant: Tenant,
  vehicleId: string,
  purchasedAt: Instant,
): Promise<ReadRefill> {
  const [measured, positions] = await Promise.all([
    readMeasurements(db, tenant, vehicleId, purchasedAt),
    readPositions(db, tenant, vehicleId, purchasedAt),
  ])
  const afterwards = positions.filter(({ at }) => at >= purchasedAt)
  const stops = staysIn(afterwards).map((stay) => ({ from: stay[0]!.at, to: stay.at(-1)!.at }))
  return { refill: { ...measured, stops }, stoodAt: placeStoodAt(staysIn(positions), purchasedAt) }
}

interface Measurement {
  readonly type: 'fuel_level' | 'engine_runtime'
  readonly measuredAt: Instant
  readonly mean: number
}

async function readMeasurements(
  db: Pick<Database, 'rows' | 'dialect'>,
  tenant: Tenant,
  vehicleId: string,
  purchasedAt: Instant,
): Promise<Pick<RefillFacts, 'levels' | 'runtimes'>> {
  const where = tenantWhere(tenant)
  const hint = byIndex(db.dialect, 'vehicle_stat_logs', ['vehicleId', 'type', 'timestamp'])
  const rows = await db.rows<Measurement>(
    `SELECT \`type\`, MAX(\`timestamp\`) AS measuredAt, AVG(\`value\`) AS mean FROM vehicle_stat_logs${hint}
      WHERE ${where.sql} AND vehicleId = ? AND \`type\` IN ('fuel_level', 'engine_runtime') AND \`value\` IS NOT NULL
        AND \`timestamp\` BETWEEN ? AND ?
      GROUP BY \`type\`, \`timestamp\` - \`timestamp\` % ${MINUTE_MS} ORDER BY measuredAt`,
    [...where.parameters, vehicleId, purchasedAt - LEVEL_WINDOW_MS, purchasedAt + READ_AFTER_MS],
  )
  const measured = (type: Measurement['type']) => rows.filter((row) => row.type === type)
  return {
    levels: measured('fuel_level').map(({ mean: percent, measuredAt }) => ({ percent, measuredAt })),
    runtimes: measured('engine_runtime').map(({ mean: milliseconds, measuredAt }) => ({
      milliseconds,
      measuredAt,
    })),
  }
}

interface TimedPoint extends Point {
  readonly at: Instant
}

function readPositions(
  db: Rows,
  tenant: Tenant,
  vehicleId: string,
  purchasedAt: Instant,
): Promise<TimedPoint[]> {
  const where = tenantWhere(tenant)
  return db.rows<TimedPoint>(
    `SELECT MAX(locatedAt) AS \`at\`, AVG(longitude) AS longitude, AVG(latitude) AS latitude FROM vehicle_locations
      WHERE ${where.sql} AND vehicleId = ? AND locatedAt BETWEEN ? AND ?
      GROUP BY locatedAt - locatedAt % ${MINUTE_MS} ORDER BY \`at\``,
    [...where.parameters, vehicleId, purchasedAt - STOPPED_BEFORE_MS, purchasedAt + READ_AFTER_MS],
  )
}

/** Returns the positions of each time in which a vehicle did not leave the surroundings of a position. */
function staysIn(positions: readonly TimedPoint[]): TimedPoint[][] {
  const stays: TimedPoint[][] = []
  for (const position of positions) {
    const stay = stays.at(-1)
    const isSame =
      stay &&
      position.at - stay.at(-1)!.at <= MAX_GAP_MS &&
      kilometersBetween(stay[0]!, position) <= STOP_KILOMETERS
    if (isSame) stay.push(position)
    else stays.push([position])
  }
  return stays.filter((stay) => stay.length > 1)
}

/** Returns the position closest in time, of the stay at that time; null without one. */
function placeStoodAt(stays: readonly TimedPoint[][], time: Instant): Point | null {
  for (const stay of stays) {
    const before = stay.findLast(({ at }) => at <= time)
    const after = stay.find(({ at }) => at >= time)
    if (!before || !after || after.at - before.at > MAX_PUMP_GAP_MS) continue
    const { longitude, latitude } = time - before.at <= after.at - time ? before : after
    return { longitude, latitude }
  }
  return null
}

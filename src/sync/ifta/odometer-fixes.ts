import type { GpsFix } from './mileage/gps-fix.ts'
import { maxOdometerKilometers } from './mileage/track-gaps.ts'
import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'
import type { VehicleKey } from './affected-period.ts'

const ROWS_PER_PAGE = 5000
const MINUTE_MS = 60_000
/** Maximum time between two odometer readings for an interpolation between them. */
const MAX_INTERPOLATION_MS = 10 * MINUTE_MS
/** If one of the readings is this close to a fix, the time between the two readings does not matter. */
const NEAR_READING_MS = MINUTE_MS

export interface OdometerReading {
  readonly at: Instant
  readonly kilometers: number
}

/** Yields the fixes of a vehicle in the order of time, `from` and `to` included, with interpolated odometer values. */
export async function* fixesWithOdometer(
  db: Rows,
  vehicle: VehicleKey,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): AsyncGenerator<GpsFix> {
  const readings = readingsOf(db, vehicle, from - MAX_INTERPOLATION_MS)
  let before: OdometerReading | undefined
  let after = (await readings.next()).value
  for await (const { at, longitude, latitude } of trackOf(db, vehicle, from, to)) {
    while (after && after.at <= at) {
      before = after
      after = (await readings.next()).value
    }
    yield { locatedAt: at, longitude, latitude, odometerKilometers: odometerAt(at, before, after) }
  }
}

/**
 * Interpolates the odometer in km between two readings. Null if a reading is missing, or if both are too far from
 * `at`. Also null if the odometer decreases, or increases by more than the vehicle can have driven.
 */
function odometerAt(
  at: Instant,
  before: OdometerReading | undefined,
  after: OdometerReading | undefined,
): number | null {
  if (before?.at === at) return before.kilometers
  if (!before || !after || after.kilometers < before.kilometers) return null
  const intervalMs = after.at - before.at
  const nearestMs = Math.min(at - before.at, after.at - at)
  if (intervalMs > MAX_INTERPOLATION_MS && nearestMs > NEAR_READING_MS) return null
  if (after.kilometers - before.kilometers > maxOdometerKilometers(intervalMs)) return null
  return before.kilometers + ((after.kilometers - before.kilometers) * (at - before.at)) / intervalMs
}

interface TrackPoint {
  readonly at: Instant
  readonly longitude: number
  readonly latitude: number
}

const trackOf = (db: Rows, vehicle: VehicleKey, from: Instant, to: Instant) =>
  rowsByTime<TrackPoint>(from, (after) =>
    db.rows(
      `SELECT \`locatedAt\` AS \`at\`, \`longitude\`, \`latitude\` FROM \`vehicle_locations\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`vehicleId\` = ?
          AND \`locatedAt\` > ? AND \`locatedAt\` <= ?
        ORDER BY \`locatedAt\` LIMIT ${ROWS_PER_PAGE}`,
      [vehicle.connectionId, vehicle.applicationId, vehicle.id, after, to],
    ),
  )

/** Odometer readings in the order of time. A reading of 0 means that the device does not know the value. */
const readingsOf = (db: Rows, vehicle: VehicleKey, from: Instant) =>
  rowsByTime<OdometerReading>(from, (after) =>
    db.rows(
      `SELECT \`timestamp\` AS \`at\`, \`value\` AS \`kilometers\` FROM \`vehicle_stat_logs\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`vehicleId\` = ?
          AND \`type\` = 'odometer' AND \`timestamp\` > ? AND \`value\` > 0
        ORDER BY \`timestamp\` LIMIT ${ROWS_PER_PAGE}`,
      [vehicle.connectionId, vehicle.applicationId, vehicle.id, after],
    ),
  )

/** Yields rows in the order of time. Reads them page by page, so that memory holds one page only. */
async function* rowsByTime<Row extends { readonly at: Instant }>(
  from: Instant,
  pageAfter: (after: Instant) => Promise<Row[]>,
): AsyncGenerator<Row, undefined> {
  for (let after = from - 1; ;) {
    const page = await pageAfter(after)
    for (const row of page) yield { ...row, at: Number(row.at) }
    if (page.length < ROWS_PER_PAGE) return
    after = Number(page.at(-1)?.at)
  }
}

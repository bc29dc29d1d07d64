import type { GpsFix } from './mileage/gps-fix.ts'
import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'
import type { VehicleKey } from './affected-period.ts'

const ROWS_AT_ONCE = 5000
const MINUTE_MS = 60_000
/** Between readings as close as these, an odometer moves evenly enough. */
const READINGS_MS = 10 * MINUTE_MS
/** A reading so close to a fix is one of its place, however far off the next one is. */
const SAME_MS = MINUTE_MS

export interface OdometerReading {
  readonly at: Instant
  readonly kilometers: number
}

/** The fixes of a vehicle's track in the order of time, `from` and `to` included, with what its odometer showed. */
export async function* fixesWithOdometer(
  db: Rows,
  vehicle: VehicleKey,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): AsyncGenerator<GpsFix> {
  const readings = readingsOf(db, vehicle, from - READINGS_MS)
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

/** What the odometer showed between two readings; null where they are too far off to tell. */
function odometerAt(
  at: Instant,
  before: OdometerReading | undefined,
  after: OdometerReading | undefined,
): number | null {
  if (before?.at === at) return before.kilometers
  if (!before || !after || after.kilometers < before.kilometers) return null
  const between = after.at - before.at
  const nearest = Math.min(at - before.at, after.at - at)
  if (between > READINGS_MS && nearest > SAME_MS) return null
  return before.kilometers + ((after.kilometers - before.kilometers) * (at - before.at)) / between
}

interface TrackPoint {
  readonly at: Instant
  readonly longitude: number
  readonly latitude: number
}

const trackOf = (db: Rows, vehicle: VehicleKey, from: Instant, to: Instant) =>
  inOrderOfTime<TrackPoint>(from, (after) =>
    db.rows(
      `SELECT \`locatedAt\` AS \`at\`, \`longitude\`, \`latitude\` FROM \`vehicle_locations\`
        WHERE \`connectionId\` = ? AND \`vehicleId\` = ? AND \`locatedAt\` > ? AND \`locatedAt\` <= ?
        ORDER BY \`locatedAt\` LIMIT ${ROWS_AT_ONCE}`,
      [vehicle.connectionId, vehicle.id, after, to],
    ),
  )

const readingsOf = (db: Rows, vehicle: VehicleKey, from: Instant) =>
  inOrderOfTime<OdometerReading>(from, (after) =>
    db.rows(
      `SELECT \`timestamp\` AS \`at\`, \`value\` AS \`kilometers\` FROM \`vehicle_stat_logs\`
        WHERE \`connectionId\` = ? AND \`vehicleId\` = ? AND \`type\` = 'odometer' AND \`timestamp\` > ? AND \`value\` IS NOT NULL
        ORDER BY \`timestamp\` LIMIT ${ROWS_AT_ONCE}`,
      [vehicle.connectionId, vehicle.id, after],
    ),
  )

/** Rows page by page, so that no more than a page is ever held. */
async function* inOrderOfTime<Row extends { readonly at: Instant }>(
  from: Instant,
  pageAfter: (after: Instant) => Promise<Row[]>,
): AsyncGenerator<Row, undefined> {
  for (let after = from - 1; ;) {
    const page = await pageAfter(after)
    for (const row of page) yield { ...row, at: Number(row.at) }
    if (page.length < ROWS_AT_ONCE) return
    after = Number(page.at(-1)?.at)
  }
}

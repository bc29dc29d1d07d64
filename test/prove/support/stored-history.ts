import type { Database } from '../../../src/storage/database.ts'
import { alterTable } from '../../../src/storage/series/partitions.ts'
import { seriesTables } from '../../../src/storage/series/series-tables.ts'
import { type SeededApplication, seedApplication, vehicleRow } from '../../support/factories.ts'

/** Number of location points of a vehicle, and of its measurements. */
interface History {
  readonly vehicleId: string
  readonly points: number
}

export interface StoredHistory {
  readonly application: SeededApplication
  /** The vehicle with a fifth of all points. Its rows lie among those of the others. */
  readonly big: History
}

const OTHERS = 200
const AT_ONCE = 50_000
const STEP_MS = 15_000
const START = Date.UTC(2026, 0, 1)

/** Stores a fleet with this many location points and measurements; one vehicle has a fifth of them. */
export async function storeHistory(db: Database, rows: number): Promise<StoredHistory> {
  const application = await seedApplication(db, [
    (owner) => ({ vehicles: Array.from({ length: OTHERS + 1 }, () => vehicleRow(owner)) }),
  ])
  const vehicles = application.connections[0]!.vehicles.map(({ id }) => id).sort()
  const points = Math.floor(rows / 5)
  const histories = vehicles.map((vehicleId, at): History => ({
    vehicleId,
    points: at === OTHERS / 2 ? points : Math.floor((rows - points) / OTHERS),
  }))
  await makeNumbers(db)
  for (const history of histories) await store(db, application, history)
  await db.transaction((tx) => tx.run('DROP TABLE `numbers`'))
  if (db.dialect === 'mysql') await db.rows('ANALYZE TABLE `vehicle_locations`, `vehicle_stat_logs`')
  return { application, big: histories[OTHERS / 2]! }
}

/** Partitions the tables evenly over the track of the big vehicle. The last partition stays empty. */
export async function partHistory(db: Database, rows: number, partitions: number): Promise<void> {
  const length = ((rows / 5) * STEP_MS) / (partitions - 1)
  const bounds = Array.from({ length: partitions - 1 }, (_, at) => Math.ceil(START + (at + 1) * length))
  for (const table of seriesTables) {
    const parts = bounds.map((until, at) => `PARTITION p${at} VALUES LESS THAN (${until})`).join(', ')
    await alterTable(
      db,
      `ALTER TABLE \`${table.name}\` PARTITION BY RANGE (\`${table.time}\`) (${parts}, PARTITION rest VALUES LESS THAN MAXVALUE)`,
    )
  }
}

/** Generates rows inside the database: that is faster than sending them. */
async function makeNumbers(db: Database): Promise<void> {
  await db.transaction((tx) => tx.run('CREATE TABLE `numbers` (`n` integer PRIMARY KEY)'))
  await db.transaction(async (tx) => {
    const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')
    const places = [1, 10, 100, 1000, 10_000]
    const value = places.map((place) => `p${place}.d * ${place}`).join(' + ')
    const from = places.map((place) => `(${digits}) AS p${place}`).join(', ')
    await tx.run(`INSERT INTO \`numbers\` SELECT ${value} FROM ${from}`)
  })
}

async function store(db: Database, application: SeededApplication, history: History): Promise<void> {
  const { id: connectionId } = application.connections[0]!.connection
  const owner = [history.vehicleId, application.id, connectionId]
  for (let from = 0; from < history.points; from += AT_ONCE) {
    const within = `\`n\` < ${Math.min(AT_ONCE, history.points - from)} ORDER BY \`n\``
    await db.transaction(async (tx) => {
      await tx.run(`${insertLocations(from)} WHERE ${within}`, owner)
      await tx.run(`${insertStats(from)} WHERE ${within}`, owner)
    })
  }
}

const insertLocations = (from: number): string =>
  `INSERT INTO \`vehicle_locations\` (\`vehicleId\`, \`applicationId\`, \`connectionId\`, \`provider\`, \`locatedAt\`,
    \`longitude\`, \`latitude\`, \`addressText\`, \`heading\`, \`speed\`, \`modifiedAt\`)
  SELECT ?, ?, ?, 'sandbox', ${START} + (${from} + \`n\`) * ${STEP_MS},
    -97.7 + \`n\` * 1e-6, 30.3 + \`n\` * 1e-6, 'I-35, Austin, TX', \`n\` % 360, \`n\` % 110, ${START} + \`n\` FROM \`numbers\``

/** Four types alternate, one measurement at each time. */
const insertStats = (from: number): string =>
  `INSERT INTO \`vehicle_stat_logs\` (\`vehicleId\`, \`applicationId\`, \`connectionId\`, \`provider\`, \`timestamp\`,
    \`type\`, \`value\`, \`modifiedAt\`)
  SELECT ?, ?, ?, 'sandbox', ${START} + (${from} + \`n\`) * ${STEP_MS},
    CASE \`n\` % 4 WHEN 0 THEN 'odometer' WHEN 1 THEN 'fuel_level' WHEN 2 THEN 'engine_rpm' ELSE 'battery_voltage' END,
    \`n\` % 100, ${START} + \`n\` FROM \`numbers\``

import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { migrateFor } from '../../src/storage/prepare-database.ts'
import { partitionsOf, REST } from '../../src/storage/series/partitions.ts'
import { seriesTables } from '../../src/storage/series/series-tables.ts'
import { DAY, MINUTE } from '../factories.ts'
import { told } from '../migrations/rig.ts'
import {
  daysAgoOf,
  inEach,
  layouts,
  plantPoints,
  removeAt,
  RETENTION_DAYS,
  retentionRig,
  STEP_DAYS,
} from './rig.ts'

const NOW = Date.now()
const inOnePiece = layouts.find(({ store, parted }) => store === 'mariadb' && !parted)
const parted = layouts.find((layout) => layout.parted)

const partitionsIn = async (db: Database) =>
  Object.fromEntries(
    await Promise.all(
      seriesTables.map(async (table) => [table.name, await partitionsOf(db, table)] as const),
    ),
  )

const tracks = async (db: Database) => (await partitionsIn(db))['vehicle_locations'] ?? []

describe.skipIf(!parted)('tables that are parted by time', () => {
  test('have few partitions, which cover the retention and some time to come, between two steps the same', async () => {
    await using rig = await retentionRig(parted!)
    for (const partitions of Object.values(await partitionsIn(rig.db))) {
      const bounds = partitions.map(({ until }) => until)
      expect(bounds.length).toBeLessThanOrEqual(14)
      expect(bounds.at(-1)).toBeNull()
      expect(bounds[0]).toBeLessThanOrEqual(NOW - RETENTION_DAYS * DAY)
      expect(bounds[1]).toBeGreaterThan(NOW - RETENTION_DAYS * DAY)
      expect(bounds.at(-2)).toBeGreaterThan(NOW + STEP_DAYS * DAY)
    }
    await removeAt(rig.db, NOW)
    const before = await partitionsIn(rig.db)
    for (const minutes of [0, 1]) await removeAt(rig.db, NOW + minutes * MINUTE)
    expect(await partitionsIn(rig.db)).toEqual(before)
  })

  test('drop the oldest as a whole, without deleting a row, and have new ones for the time to come', async () => {
    await using rig = await retentionRig(parted!)
    await plantPoints(rig.db, NOW, [70, 58, 1])
    await removeAt(rig.db, NOW)
    const before = await tracks(rig.db)
    const statements: string[] = []
    rig.db.onStatement((sql) => statements.push(sql))
    await removeAt(rig.db, NOW + STEP_DAYS * DAY)
    const after = await tracks(rig.db)
    expect(after.slice(0, -2)).toEqual(before.slice(1, -1))
    expect(after.at(-2)?.until).toBe(Number(before.at(-2)?.until) + STEP_DAYS * DAY)
    expect(after.at(-1)?.name).toBe(REST)
    expect(statements.filter((sql) => sql.startsWith('DELETE'))).toEqual([])
    expect(statements.filter((sql) => sql.includes('DROP PARTITION'))).toHaveLength(seriesTables.length)
  })

  test('catch up after a long time without the job, and after another retention', async () => {
    await using rig = await retentionRig(parted!)
    const later = NOW + 300 * DAY
    const { id } = await plantPoints(rig.db, later, [200, 45, 1])
    for (const minutes of [0, 1]) await removeAt(rig.db, later + minutes * MINUTE)
    expect(await daysAgoOf(rig.db, id, later)).toEqual(inEach([45, 1]))
    for (const minutes of [0, 1]) await removeAt(rig.db, later + 20 * DAY + minutes * MINUTE, 40)
    expect(await daysAgoOf(rig.db, id, later)).toEqual(inEach([1]))
    expect((await tracks(rig.db)).length).toBeLessThanOrEqual(20)
  })
})

describe.skipIf(!parted)('a table whose last partition has filled up', () => {
  test('loses its old points in batches, and has partitions again once it is empty', async () => {
    await using rig = await retentionRig(parted!)
    const later = NOW + 300 * DAY
    const { id } = await plantPoints(rig.db, later, [200, 1])
    await plantMany(rig.db, NOW + 40 * DAY)
    const before = await tracks(rig.db)
    await removeAt(rig.db, later)
    expect((await daysAgoOf(rig.db, id, later))['vehicle_locations']).toEqual([1])
    expect(await rig.db.rows("SELECT 1 FROM `vehicle_locations` WHERE `vehicleId` = 'many' LIMIT 1")).toEqual(
      [],
    )
    expect(await tracks(rig.db)).toEqual([before.at(-1)])
    await removeAt(rig.db, later)
    expect((await tracks(rig.db)).length).toBeGreaterThan(10)
  })
})

describe.skipIf(!inOnePiece)('a table in one piece', () => {
  test('is parted at a start where it is small, and only when asked for where it is large', async () => {
    await using rig = await retentionRig(inOnePiece!)
    const { id } = await plantPoints(rig.db, NOW, [70, 1])
    await plantMany(rig.db, NOW)
    const atStart = { retentionDays: RETENTION_DAYS, largeToo: false }
    await migrateFor(rig.place, atStart, told())
    const started = await partitionsIn(rig.db)
    expect(started['vehicle_locations']).toEqual([])
    expect(started['vehicle_stat_logs']?.length).toBeGreaterThan(10)
    const { lines, ...progress } = told()
    await migrateFor(rig.place, { ...atStart, largeToo: true }, progress)
    expect(lines).toEqual([expect.stringContaining('parting vehicle_locations'), 'parted vehicle_locations'])
    expect((await tracks(rig.db)).length).toBeGreaterThan(10)
    expect(await daysAgoOf(rig.db, id, NOW)).toEqual(inEach([70, 1]))
  })
})

/** More rows than are written anew at a start. */
async function plantMany(db: Database, newest: number): Promise<void> {
  const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')
  const places = ['a', 'b', 'c', 'd'].map((name) => `(${digits}) AS ${name}`).join(', ')
  await db.transaction((tx) =>
    tx.run(
      `INSERT INTO \`vehicle_locations\` (\`vehicleId\`, \`locatedAt\`, \`applicationId\`, \`connectionId\`,
        \`provider\`, \`longitude\`, \`latitude\`, \`modifiedAt\`)
        SELECT 'many', ${newest} - a.d - 10 * b.d - 100 * c.d - 1000 * d.d, '', '', 'sandbox', 0, 0, 0 FROM ${places}`,
    ),
  )
}

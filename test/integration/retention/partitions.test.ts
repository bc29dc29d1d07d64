import { describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { migrateAndPartition } from '../../../src/storage/bootstrap.ts'
import { partitionsOf, LAST_PARTITION } from '../../../src/storage/series/partitions.ts'
import { seriesTables } from '../../../src/storage/series/series-tables.ts'
import { DAY, MINUTE } from '../../support/factories.ts'
import { recordProgress } from '../../support/migrations/migration-harness.ts'
import {
  daysAgoOf,
  inEach,
  layouts,
  seedPoints,
  removeAt,
  RETENTION_DAYS,
  createRetentionHarness,
  STEP_DAYS,
} from '../../support/harnesses/retention-harness.ts'

const NOW = Date.now()
const unpartitioned = layouts.find(({ store, isPartitioned }) => store === 'mariadb' && !isPartitioned)
const partitioned = layouts.find((layout) => layout.isPartitioned)

const partitionsIn = async (db: Database) =>
  Object.fromEntries(
    await Promise.all(
      seriesTables.map(async (table) => [table.name, await partitionsOf(db, table)] as const),
    ),
  )

const tracks = async (db: Database) => (await partitionsIn(db))['vehicle_locations'] ?? []

describe.skipIf(!partitioned)('tables that are partitioned by time', () => {
  test('have few partitions for the retention and the near future, stable between two steps', async () => {
    await using harness = await createRetentionHarness(partitioned!)
    for (const partitions of Object.values(await partitionsIn(harness.db))) {
      const bounds = partitions.map(({ until }) => until)
      expect(bounds.length).toBeLessThanOrEqual(14)
      expect(bounds.at(-1)).toBeNull()
      expect(bounds[0]).toBeLessThanOrEqual(NOW - RETENTION_DAYS * DAY)
      expect(bounds[1]).toBeGreaterThan(NOW - RETENTION_DAYS * DAY)
      expect(bounds.at(-2)).toBeGreaterThan(NOW + STEP_DAYS * DAY)
    }
    await removeAt(harness.db, NOW)
    const before = await partitionsIn(harness.db)
    for (const minutes of [0, 1]) await removeAt(harness.db, NOW + minutes * MINUTE)
    expect(await partitionsIn(harness.db)).toEqual(before)
  })

  test('drop the oldest partition without a DELETE, and add new ones for the future', async () => {
    await using harness = await createRetentionHarness(partitioned!)
    await seedPoints(harness.db, NOW, [70, 58, 1])
    await removeAt(harness.db, NOW)
    const before = await tracks(harness.db)
    const statements: string[] = []
    harness.db.onStatement((sql) => statements.push(sql))
    await removeAt(harness.db, NOW + STEP_DAYS * DAY)
    const after = await tracks(harness.db)
    expect(after.slice(0, -2)).toEqual(before.slice(1, -1))
    expect(after.at(-2)?.until).toBe(Number(before.at(-2)?.until) + STEP_DAYS * DAY)
    expect(after.at(-1)?.name).toBe(LAST_PARTITION)
    expect(statements.filter((sql) => sql.startsWith('DELETE'))).toEqual([])
    expect(statements.filter((sql) => sql.includes('DROP PARTITION'))).toHaveLength(seriesTables.length)
  })

  test('catch up after a long pause of the job, and after a shorter retention', async () => {
    await using harness = await createRetentionHarness(partitioned!)
    const later = NOW + 300 * DAY
    const { id } = await seedPoints(harness.db, later, [200, 45, 1])
    for (const minutes of [0, 1]) await removeAt(harness.db, later + minutes * MINUTE)
    expect(await daysAgoOf(harness.db, id, later)).toEqual(inEach([45, 1]))
    for (const minutes of [0, 1]) await removeAt(harness.db, later + 20 * DAY + minutes * MINUTE, 40)
    expect(await daysAgoOf(harness.db, id, later)).toEqual(inEach([1]))
    expect((await tracks(harness.db)).length).toBeLessThanOrEqual(20)
  })
})

describe.skipIf(!partitioned)('a table with rows in its last partition', () => {
  test('loses its old points in batches, and is partitioned again once it is empty', async () => {
    await using harness = await createRetentionHarness(partitioned!)
    const later = NOW + 300 * DAY
    const { id } = await seedPoints(harness.db, later, [200, 1])
    await seedMany(harness.db, NOW + 40 * DAY)
    const before = await tracks(harness.db)
    await removeAt(harness.db, later)
    expect((await daysAgoOf(harness.db, id, later))['vehicle_locations']).toEqual([1])
    expect(
      await harness.db.rows("SELECT 1 FROM `vehicle_locations` WHERE `vehicleId` = 'many' LIMIT 1"),
    ).toEqual([])
    expect(await tracks(harness.db)).toEqual([before.at(-1)])
    await removeAt(harness.db, later)
    expect((await tracks(harness.db)).length).toBeGreaterThan(10)
  })
})

describe.skipIf(!unpartitioned)('an unpartitioned table', () => {
  test('is partitioned at start if it is small, and only on request if it is large', async () => {
    await using harness = await createRetentionHarness(unpartitioned!)
    const { id } = await seedPoints(harness.db, NOW, [70, 1])
    await seedMany(harness.db, NOW)
    const atStart = { retentionDays: RETENTION_DAYS, includeLarge: false }
    await migrateAndPartition(harness.place, atStart, recordProgress())
    const started = await partitionsIn(harness.db)
    expect(started['vehicle_locations']).toEqual([])
    expect(started['vehicle_stat_logs']?.length).toBeGreaterThan(10)
    const { lines, ...progress } = recordProgress()
    await migrateAndPartition(harness.place, { ...atStart, includeLarge: true }, progress)
    expect(lines).toEqual([
      expect.stringContaining('partitioning vehicle_locations'),
      'partitioned vehicle_locations',
    ])
    expect((await tracks(harness.db)).length).toBeGreaterThan(10)
    expect(await daysAgoOf(harness.db, id, NOW)).toEqual(inEach([70, 1]))
  })
})

/** Inserts more rows than a start copies into a partitioned table. */
async function seedMany(db: Database, newest: number): Promise<void> {
  const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')
  const tables = ['a', 'b', 'c', 'd'].map((name) => `(${digits}) AS ${name}`).join(', ')
  await db.transaction((tx) =>
    tx.run(
      `INSERT INTO \`vehicle_locations\` (\`vehicleId\`, \`locatedAt\`, \`applicationId\`, \`connectionId\`,
        \`provider\`, \`longitude\`, \`latitude\`, \`modifiedAt\`)
        SELECT 'many', ${newest} - a.d - 10 * b.d - 100 * c.d - 1000 * d.d, '', '', 'sandbox', 0, 0, 0 FROM ${tables}`,
    ),
  )
}

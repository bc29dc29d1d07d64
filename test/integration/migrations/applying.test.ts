import { createConnection } from 'mysql2/promise'
import type { QueryRunner } from 'typeorm'
import { describe, expect, test } from 'vitest'
import { addColumns } from '../../../src/storage/sql/dialect.ts'
import { dialectOf, migrate, withRunner } from '../../../src/storage/migrate.ts'
import { type Migration, migrations } from '../../../src/storage/migrations/migrations.ts'
import { stores } from '../../support/database/stores.ts'
import {
  emptyDatabase,
  runMigrate,
  spelledOut,
  stateOf,
  recordProgress,
} from '../../support/migrations/migration-harness.ts'

class Killed extends Error {}

/** Returns a runner that fails after a number of statements. */
function killedAfter(statements: number, runner: QueryRunner): QueryRunner {
  let left = statements
  const query = (sql: string, parameters?: unknown[]) => {
    if (left-- === 0) throw new Killed()
    return runner.query(sql, parameters)
  }
  return new Proxy(runner, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  })
}

/** Runs a migration repeatedly, killed one statement later each time. Returns its number of statements. */
async function applyWithKills(runner: QueryRunner, migration: Migration): Promise<number> {
  for (let statements = 0; ; statements++)
    try {
      await migration.up(killedAfter(statements, runner))
      return statements
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
}

/** The migration of a later version. */
const later: Migration = {
  name: 'Later1800000000000',
  up: (runner) => addColumns(runner, dialectOf(runner), 'vehicles', 'mood TEXT NULL'),
  down: () => Promise.reject(new Error('forward only')),
}

describe.each(stores)('migrations on %s', (store) => {
  test('give the same schema after a kill at any statement', async () => {
    await using uninterrupted = await emptyDatabase(store)
    await migrate(uninterrupted.place)
    await using killed = await emptyDatabase(store)
    await withRunner(killed.place, async (runner) => {
      for (const migration of migrations) expect(await applyWithKills(runner, migration)).toBeGreaterThan(0)
    })
    await migrate(killed.place)
    expect(await spelledOut(killed.place)).toEqual(await spelledOut(uninterrupted.place))
  })

  test('that permit null in a column keep its values, also after a kill at any statement', async () => {
    await using database = await emptyDatabase(store)
    const index = migrations.findIndex(({ name }) => name.startsWith('UnknownDistances'))
    await migrate(database.place, { list: migrations.slice(0, index) })
    await withRunner(database.place, async (runner) => {
      const insert = (id: string, distance: string) =>
        runner.query(
          `INSERT INTO vehicle_days
            (id, applicationId, connectionId, provider, sourceId, contentHash, rawHash, addedAt, modifiedAt, vehicleId, date, distance)
            VALUES ('${id}', 'app', 'con', 'traccar', '${id}', 'hash', 'hash', 1, 1, 'vcl', '2026-01-30', ${distance})`,
        )
      await insert('first', '412.5')
      await applyWithKills(runner, migrations[index] as Migration)
      await insert('second', 'NULL')
      const rows = (await runner.query('SELECT id, distance FROM vehicle_days ORDER BY id')) as object[]
      expect(rows.map((row) => ({ ...row }))).toEqual([
        { id: 'first', distance: 412.5 },
        { id: 'second', distance: null },
      ])
    })
  })

  test('before a failed one are recorded, and the next start continues', async () => {
    await using database = await emptyDatabase(store)
    const broken = { ...later, up: () => Promise.reject(new Error('out of disk')) }
    await expect(migrate(database.place, { list: [...migrations, broken] })).rejects.toThrow('out of disk')
    await migrate(database.place, { list: [...migrations, later] })
    const { applied, pending, appliedAt } = await stateOf(database.place, [...migrations, later])
    expect(applied).toEqual([...migrations, later].map(({ name }) => name))
    expect(pending).toEqual([])
    expect([...appliedAt.keys()]).toEqual(applied)
  })

  test('of a version that recorded no times count as applied', async () => {
    await using database = await emptyDatabase(store)
    await migrate(database.place)
    await withRunner(database.place, (runner) =>
      runner.query('ALTER TABLE `migrations` DROP COLUMN `appliedAt`'),
    )
    const { pending, appliedAt } = await stateOf(database.place)
    expect([pending, appliedAt.size]).toEqual([[], 0])
    const { lines, ...progress } = recordProgress()
    await migrate(database.place, { progress, list: [...migrations, later] })
    expect(lines).toEqual([
      `applying ${later.name}`,
      expect.stringMatching(/^applied Later1800000000000 in \d/),
    ])
  })

  test('are applied once by concurrent processes', async () => {
    await using database = await emptyDatabase(store)
    const runs = await Promise.all([1, 2, 3].map(() => runMigrate(database.home)))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
    const output = runs.map((one) => one.output).join('')
    for (const { name } of migrations) expect(output.split(`applied ${name}`)).toHaveLength(2)
  })
})

test('a column that another cluster node added meanwhile counts as added', async () => {
  await using database = await emptyDatabase('sqlite')
  let applied = 0
  const raced: Migration = {
    ...later,
    up: (runner) =>
      ++applied === 1
        ? Promise.reject(Object.assign(new Error('there already'), { errno: 1060 }))
        : later.up(runner),
  }
  await migrate(database.place, { pauseMs: 1, list: [...migrations, raced] })
  expect(applied).toBe(2)
  expect((await stateOf(database.place, [...migrations, later])).pending).toEqual([])
})

describe.skipIf(!stores.includes('mariadb'))('a migration', () => {
  test('waits for a table in use, and does not block its readers', async () => {
    await using database = await emptyDatabase('mariadb')
    await migrate(database.place)
    const user = await createConnection(String(database.place.mysqlUrl))
    const reader = await createConnection(String(database.place.mysqlUrl))
    try {
      await user.query('START TRANSACTION')
      await user.query('SELECT * FROM `vehicles`')
      const { lines } = await migratedAround(database.place, async () => {
        await reader.query('SELECT * FROM `vehicles`')
        await user.query('COMMIT')
      })
      expect(lines.filter((line) => line.includes('a table is in use'))).not.toEqual([])
      expect((await stateOf(database.place)).newer).toEqual([later.name])
    } finally {
      user.destroy()
      reader.destroy()
    }
  })

  test('waits until the process that migrates ends or dies', async () => {
    await using database = await emptyDatabase('mariadb')
    const other = await createConnection(String(database.place.mysqlUrl))
    await other.query("SELECT GET_LOCK(CONCAT('odograph migrations ', MD5(DATABASE())), 0)")
    const { lines } = await migratedAround(database.place, () => Promise.resolve(other.destroy()))
    expect(lines[0]).toContain('another process is migrating the database')
    expect(lines.at(-1)).toContain(`applied ${later.name}`)
  })
})

/** Migrates, and calls `free` at the first warning that the migration waits. */
async function migratedAround(place: Parameters<typeof migrate>[0], free: () => Promise<unknown>) {
  const progress = recordProgress()
  let freed: Promise<unknown> | undefined
  const warn = (line: string) => {
    progress.warn(line)
    freed ??= free()
  }
  const times = { lockWaitSeconds: 1, pauseMs: 50 }
  await migrate(place, { ...times, progress: { ...progress, warn }, list: [...migrations, later] })
  await freed
  return progress
}

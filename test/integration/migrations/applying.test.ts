import { createConnection } from 'mysql2/promise'
import type { QueryRunner } from 'typeorm'
import { describe, expect, test } from 'vitest'
import { addColumns } from '../../../src/storage/sql/dialect.ts'
import { dialectOf, migrate, withRunner } from '../../../src/storage/migrate.ts'
import { type Migration, migrations } from '../../../src/storage/migrations/migrations.ts'
import { stores } from '../../support/stores.ts'
import {
  emptyDatabase,
  runMigrate,
  spelledOut,
  stateOf,
  told,
} from '../../support/migrations/migration-harness.ts'

class Killed extends Error {}

/** Lets so many statements through and dies before the next. */
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

/** Runs a migration until it is killed after one statement, again until after two, and so on to its end. */
async function applyPiecemeal(runner: QueryRunner, migration: Migration): Promise<number> {
  for (let statements = 0; ; statements++)
    try {
      await migration.up(killedAfter(statements, runner))
      return statements
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
}

/** What a later version brings. */
const later: Migration = {
  name: 'Later1800000000000',
  up: (runner) => addColumns(runner, dialectOf(runner), 'vehicles', 'mood TEXT NULL'),
  down: () => Promise.reject(new Error('forward only')),
}

describe.each(stores)('migrations on %s', (store) => {
  test('give the same schema however often they are killed, after whichever statement', async () => {
    await using straight = await emptyDatabase(store)
    await migrate(straight.place)
    await using killed = await emptyDatabase(store)
    await withRunner(killed.place, async (runner) => {
      for (const migration of migrations) expect(await applyPiecemeal(runner, migration)).toBeGreaterThan(0)
    })
    await migrate(killed.place)
    expect(await spelledOut(killed.place)).toEqual(await spelledOut(straight.place))
  })

  test('that fail are not noted, those before them are; the next start goes on', async () => {
    await using database = await emptyDatabase(store)
    const broken = { ...later, up: () => Promise.reject(new Error('out of disk')) }
    await expect(migrate(database.place, { list: [...migrations, broken] })).rejects.toThrow('out of disk')
    await migrate(database.place, { list: [...migrations, later] })
    const { applied, pending, appliedAt } = await stateOf(database.place, [...migrations, later])
    expect(applied).toEqual([...migrations, later].map(({ name }) => name))
    expect(pending).toEqual([])
    expect([...appliedAt.keys()]).toEqual(applied)
  })

  test('of a version that wrote down no times are known as applied', async () => {
    await using database = await emptyDatabase(store)
    await migrate(database.place)
    await withRunner(database.place, (runner) =>
      runner.query('ALTER TABLE `migrations` DROP COLUMN `appliedAt`'),
    )
    const { pending, appliedAt } = await stateOf(database.place)
    expect([pending, appliedAt.size]).toEqual([[], 0])
    const { lines, ...progress } = told()
    await migrate(database.place, { progress, list: [...migrations, later] })
    expect(lines).toEqual([
      `applying ${later.name}`,
      expect.stringMatching(/^applied Later1800000000000 in \d/),
    ])
  })

  test('are applied once by processes that start at once', async () => {
    await using database = await emptyDatabase(store)
    const ended = await Promise.all([1, 2, 3].map(() => runMigrate(database.home)))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    const output = ended.map((one) => one.output).join('')
    for (const { name } of migrations) expect(output.split(`applied ${name}`)).toHaveLength(2)
  })
})

test('what another server of a cluster has made in between is taken as made', async () => {
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

describe.skipIf(!stores.includes('mariadb'))('a table that is in use', () => {
  test('is waited for, and those who read it are let through in between', async () => {
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

  test('by a process that migrates, is left to it until it ends or dies', async () => {
    await using database = await emptyDatabase('mariadb')
    const other = await createConnection(String(database.place.mysqlUrl))
    await other.query("SELECT GET_LOCK(CONCAT('odograph migrations ', MD5(DATABASE())), 0)")
    const { lines } = await migratedAround(database.place, () => Promise.resolve(other.destroy()))
    expect(lines[0]).toContain('another process is migrating the database')
    expect(lines.at(-1)).toContain(`applied ${later.name}`)
  })
})

/** Migrates, and does something when it is told for the first time that migrating has to wait. */
async function migratedAround(place: Parameters<typeof migrate>[0], free: () => Promise<unknown>) {
  const progress = told()
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

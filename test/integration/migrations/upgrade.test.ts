import { join } from 'node:path'
import type { QueryRunner } from 'typeorm'
import { describe, expect, test } from 'vitest'
import { latestModels } from '../../../src/domain/record-models.ts'
import { dialectOf, migrate, withRunner } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/migrations.ts'
import { restAppOver } from '../../prove/support/rest-app.ts'
import type { Home } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { emptyDatabase, tableNames } from '../../support/migrations/migration-harness.ts'
import { addClient } from '../../support/sync/add-client.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** Last migration of the last release, 0.1.0. */
const LAST_RELEASED = 'LeftOutRecords'
const released = migrations.slice(0, migrations.findIndex(({ name }) => name.startsWith(LAST_RELEASED)) + 1)

/** Columns of each table, without those that the database generates. */
type Columns = Readonly<Record<string, readonly string[]>>

async function columnsOf(runner: QueryRunner): Promise<Columns> {
  const columns: Record<string, string[]> = {}
  for (const table of await tableNames(runner)) {
    const rows = (await runner.query(
      dialectOf(runner) === 'sqlite'
        ? `SELECT name FROM pragma_table_info('${table}')`
        : `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS
           WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${table}' AND IS_GENERATED = 'NEVER'`,
    )) as { name: string }[]
    columns[table] = rows.map(({ name }) => name)
  }
  return columns
}

/** Returns the rows of each table, with these columns only. */
async function contentsOf(runner: QueryRunner, columns: Columns): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {}
  for (const [table, names] of Object.entries(columns)) {
    const rows = (await runner.query(`SELECT ${listed(names)} FROM \`${table}\``)) as object[]
    contents[table] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return contents
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Replaces all rows by those of a service's database, in these columns. */
async function copyFrom({ environment, folder }: Home, runner: QueryRunner, columns: Columns): Promise<void> {
  const mysqlUrl = environment['MYSQL_URL']
  const source = mysqlUrl ? new URL(mysqlUrl).pathname.slice(1) : 'source'
  if (!mysqlUrl) await runner.query(`ATTACH DATABASE '${join(folder, 'odograph.db')}' AS source`)
  for (const [table, names] of Object.entries(columns)) {
    if (table === 'migrations') continue
    await runner.query(`DELETE FROM \`${table}\``)
    await runner.query(
      `INSERT INTO \`${table}\` (${listed(names)}) SELECT ${listed(names)} FROM \`${source}\`.\`${table}\``,
    )
  }
}

const LISTS = ['vehicles?expand=groups', 'drivers', 'trips', 'hos/logs', 'safety/events', 'syncs', 'issues']

describe.each(stores)('an upgrade from the last release on %s', (store) => {
  test('keeps every row, serves the same data, and lets the release write until it stops', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    for (const model of latestModels) await harness.poll(model)
    await harness.dispatch()
    const client = await addClient(harness.db, harness.connectionId)
    await using database = await emptyDatabase(store)
    await migrate(database.place, { list: released })
    const { columns, before } = await withRunner(database.place, async (runner) => {
      const columns = await columnsOf(runner)
      await copyFrom(harness.home, runner, columns)
      return { columns, before: await contentsOf(runner, columns) }
    })
    const filled = Object.values(before).filter(({ length }) => length > 0)
    expect(filled.length).toBeGreaterThan(25)

    await migrate(database.place)

    const { migrations: recorded = [], ...kept } = before
    await withRunner(database.place, async (runner) => {
      const { migrations: now = [], ...after } = await contentsOf(runner, columns)
      expect(after).toEqual(kept)
      expect(now).toEqual(expect.arrayContaining(recorded))
      expect(now).toHaveLength(migrations.length)
    })
    const db = await database.home.open()
    const [upgraded, current] = [db, harness.db].map((each) => restAppOver(each, client))
    for (const path of LISTS) expect(await upgraded?.get(`/${path}`)).toEqual(await current?.get(`/${path}`))
    await Promise.all([upgraded?.close(), current?.close()])
    await db.close()

    // The release names its own columns only, also in a database that is already upgraded.
    await withRunner(database.place, async (runner) => {
      await copyFrom(harness.home, runner, columns)
      const { migrations: _, ...rewritten } = await contentsOf(runner, columns)
      expect(rewritten).toEqual(kept)
    })
  })
})

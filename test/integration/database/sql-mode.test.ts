import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { withRunner } from '../../../src/storage/migrate.ts'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { stores } from '../../support/database/stores.ts'

/** SQL modes that change the meaning of quotes and backslashes in a statement. */
const MODES = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PIPES_AS_CONCAT,EMPTY_STRING_IS_NULL,PAD_CHAR_TO_FULL_LENGTH'

const VALUES = ["O'Brien", "\\' OR 1=1 -- ", "' OR 1=1 -- ", 'C:\\', '"quoted"', '', 'a || b', 'line\nbreak']

describe.skipIf(!stores.includes('mariadb'))('on a server with another sql_mode', () => {
  let primary: KillableMariadb
  let replica: KillableMariadb
  let db: Database

  beforeAll(async () => {
    primary = await KillableMariadb.start([`--sql-mode=${MODES}`])
    replica = await KillableMariadb.start([`--sql-mode=${MODES}`])
    for (const server of [primary, replica]) await server.query('CREATE DATABASE odograph')
    db = await openDatabase({
      mysqlUrl: primary.url('odograph'),
      replicaUrls: [replica.url('odograph')],
      sqlitePath: '',
      poolSize: 4,
    })
    await db.migrate()
  })

  afterAll(async () => {
    await db?.close()
    await primary?.[Symbol.asyncDispose]()
    await replica?.[Symbol.asyncDispose]()
  })

  test.each(VALUES)('the value %j stays a value on every kind of connection', async (value) => {
    const sql = 'SELECT ? AS `value`, ? AS `next`'
    const expected = [{ value, next: 'next' }]

    expect(await db.rows(sql, [value, 'next'])).toEqual(expected)
    expect(await db.inBackground().rows(sql, [value, 'next'])).toEqual(expected)
    expect(await db.forReading().rows(sql, [value, 'next'])).toEqual(expected)
    expect(await db.transaction((tx) => tx.rows(sql, [value, 'next']))).toEqual(expected)
    const target = { mysqlUrl: primary.url('odograph'), sqlitePath: '' }
    expect(await withRunner(target, (runner) => runner.query(sql, [value, 'next']))).toEqual(expected)
  })

  test('a text that is too long is refused, not truncated', async () => {
    const insert = 'INSERT INTO `applications` (`id`, `name`, `createdAt`) VALUES (?, ?, ?)'
    await expect(db.transaction((tx) => tx.run(insert, ['app_1', 'x'.repeat(5000), 0]))).rejects.toThrow(
      /Data too long|doesn't have a default/,
    )
  })
})

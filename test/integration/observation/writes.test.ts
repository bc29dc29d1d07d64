import { describe, expect, test } from 'vitest'
import { readinessChecks } from '../../../src/app/readiness.ts'
import { mysqlFindings } from '../../../src/cli/doctor/mysql.ts'
import { readSettings } from '../../../src/platform/config/config.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { databaseUnavailable } from '../../../src/storage/timeouts.ts'
import { WriteCheck } from '../../../src/storage/write-check.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { stores } from '../../support/database/stores.ts'

const queue = inProcessQueue({ onError: () => undefined })

type CheckedDatabase = Parameters<typeof readinessChecks>[0]['db']

/** Returns the cause of the failed database check; null if it passes. */
async function causeOf(db: CheckedDatabase): Promise<string | null> {
  const check = readinessChecks({ db, queue }).find(({ name }) => name === 'database')
  return check!.run().then(
    () => null,
    (error: Error) => error.message,
  )
}

test.each(dialects)(
  'a writable database on %s is ready, and the check leaves no commit markers',
  async (dialect) => {
    await using db = await temporaryDatabase(dialect)
    expect(await causeOf(db)).toBeNull()
    if (dialect === 'mysql') expect(await db.rows('SELECT * FROM `commits`')).toEqual([])
  },
)

describe('an embedded database', () => {
  test('that is read-only is not ready', async () => {
    await using db = await temporaryDatabase('sqlite')
    await db.transaction((tx) => tx.run('PRAGMA query_only = 1'))
    expect(await causeOf(db)).toBe(
      'The database is read-only (SQLITE_READONLY). Point MYSQL_URL to the primary, or make the database writable.',
    )
  })

  test('on a full disk fails writes with 503, and serves reads', async () => {
    await using db = await temporaryDatabase('sqlite')
    await db.transaction((tx) => tx.run('CREATE TABLE probe (text TEXT)'))
    await db.transaction((tx) => tx.rows('PRAGMA max_page_count = 1'))
    const insert = () =>
      db.transaction((tx) => tx.run('INSERT INTO probe VALUES (?)', ['x'.repeat(1_000_000)]))
    await expect(insert()).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 })
    await expect(insert()).rejects.toMatchObject({ cause: { code: 'SQLITE_FULL' } })
    expect(await db.rows('SELECT COUNT(*) AS n FROM probe')).toEqual([{ n: 0 }])
    expect(await causeOf(db)).toBe(
      'The database cannot store anything (SQLITE_FULL). Free some space on its disk.',
    )
  })
})

describe.skipIf(!stores.includes('mariadb'))('a MariaDB server with a full table', () => {
  test('is not ready after a transaction found no room, although small writes pass', async () => {
    await using db = await temporaryDatabase('mysql')
    await db.transaction((tx) => tx.run('CREATE TABLE probe (text CHAR(255)) ENGINE=MEMORY MAX_ROWS=1'))
    const insert = () => db.transaction((tx) => tx.run('INSERT INTO probe SELECT seq FROM seq_1_to_1000000'))
    expect(await causeOf(db)).toBeNull()
    await expect(insert()).rejects.toMatchObject({
      code: 'service_unavailable',
      cause: { code: 'ER_RECORD_FILE_FULL' },
    })
    expect(await causeOf(db)).toBe(
      'The database cannot store anything (ER_RECORD_FILE_FULL). Free some space on its disk.',
    )
  })
})

test('a transaction that found no room counts for 30 seconds', async () => {
  let now = 0
  const store = { transaction: <T>() => Promise.resolve(undefined as T) }
  const check = new WriteCheck(store, 'mysql', () => now)
  const noRoom = Object.assign(new Error('full'), { code: 'ER_DISK_FULL' })
  check.noteFailure(Object.assign(new Error('wrong'), { code: 'ER_PARSE_ERROR' }))
  await check.run()
  check.noteFailure(databaseUnavailable(noRoom))
  now = 29_999
  await expect(check.run()).rejects.toMatchObject({ cause: noRoom })
  now = 30_000
  await check.run()
})

test('a transaction whose temporary file found no room is told as a full disk', async () => {
  const store = { transaction: <T>() => Promise.resolve(undefined as T) }
  const check = new WriteCheck(store, 'mysql', () => 0)
  const noRoom = Object.assign(
    new Error(`Error writing file '/tmp/MYfd=50' (Errcode: 28 "No space left on device")`),
    {
      code: 'EE_WRITE',
      errno: 3,
    },
  )
  check.noteFailure(databaseUnavailable(noRoom))
  expect(await causeOf({ checkWrites: () => check.run() })).toBe(
    'The database cannot store anything (EE_WRITE). Free some space on its disk.',
  )
})

describe.skipIf(!stores.includes('mariadb'))('a read-only MariaDB server', () => {
  test('is not ready, and the doctor advises to use the primary', async () => {
    await using server = await KillableMariadb.start()
    await server.query('CREATE DATABASE odograph')
    await server.query("CREATE USER fleet@'%'")
    await server.query("GRANT ALL ON odograph.* TO fleet@'%'")
    const mysqlUrl = server.url('odograph').replace('root@', 'fleet@')
    const db = await openDatabase({ mysqlUrl, sqlitePath: '' })
    try {
      await db.migrate()
      expect(await causeOf(db)).toBeNull()
      await server.query('SET GLOBAL read_only = 1')
      expect(await causeOf(db)).toBe(
        'The database is read-only (ER_OPTION_PREVENTS_STATEMENT). Point MYSQL_URL to the primary, or make the database writable.',
      )
      const settings = readSettings([], { MYSQL_URL: mysqlUrl })
      if (!('config' in settings)) throw new Error(JSON.stringify(settings))
      expect((await mysqlFindings(settings.config)).find(({ check }) => check === 'rights')).toMatchObject({
        state: 'fail',
        advice: 'point MYSQL_URL to the primary: this server is read-only',
      })
      await server.query('SET GLOBAL read_only = 0')
      expect(await causeOf(db)).toBeNull()
    } finally {
      await db.close()
    }
  })
})

test.each([
  ['ER_DISK_FULL', 'cannot store anything'],
  ['ER_RECORD_FILE_FULL', 'cannot store anything'],
  ['SQLITE_IOERR_WRITE', 'cannot store anything'],
  ['ER_ACCESS_DENIED_ERROR', 'denies access'],
  ['ECONNREFUSED', 'does not answer'],
  ['PROTOCOL_CONNECTION_LOST', 'does not answer'],
  ['SQLITE_CORRUPT', 'fails'],
])('readiness reports %s as a database that %s', async (code, failure) => {
  const db = { checkWrites: () => Promise.reject(Object.assign(new Error('x'), { code })) }
  expect(await causeOf(db)).toContain(`The database ${failure} (${code}). `)
})

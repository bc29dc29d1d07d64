import { describe, expect, test } from 'vitest'
import { PublicError } from '../../../src/domain/errors.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { stores } from '../../support/database/stores.ts'
import { emptyDatabase } from '../../support/migrations/migration-harness.ts'

const unavailable = expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: 2 })

describe.skipIf(!stores.includes('mariadb'))('a transient error of the server', () => {
  test.each([
    [1226, 'the account has reached its connection limit'],
    [4031, 'an idle connection was closed'],
    [3101, 'another group member changed the row'],
    [1129, 'the host is blocked'],
    [1969, 'a statement took too long on MariaDB'],
    [3024, 'a statement took too long on MySQL'],
    [1041, 'out of memory'],
    [1078, 'the server is shutting down'],
  ])('with the number %i is a 503: %s', async (errno) => {
    await using database = await emptyDatabase('mariadb')
    await using db = await open(String(database.place.mysqlUrl))
    const raise = `SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'raised by the test'`

    await expect(db.rows(raise)).rejects.toEqual(unavailable)
    await expect(db.transaction((tx) => tx.run(raise))).rejects.toEqual(unavailable)
    expect(await db.rows('SELECT 1 AS `one`')).toEqual([{ one: 1 }])
  })

  test.each([
    [1, `Can't create/write to file '/tmp/#sql1' (Errcode: 28 "No space left on device")`],
    [3, `Error writing file '/tmp/MYfd=50' (Errcode: 28 "No space left on device")`],
    [3, `Error writing file '/tmp/MYfd=50' (OS errno 28 - No space left on device)`],
    [1026, `Error writing file './odograph/events' (errno: 122 "Disk quota exceeded")`],
    [1030, `Got error 28 "No space left on device" from storage engine InnoDB`],
    [1021, 'Disk full (/tmp/#sql1); waiting for someone to free some space...'],
  ])('with the number %i is a 503 for a full disk: %s', async (errno, message) => {
    await using database = await emptyDatabase('mariadb')
    await using db = await open(String(database.place.mysqlUrl))
    const raise = `SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = ?`

    await expect(db.rows(raise, [message])).rejects.toEqual(unavailable)
    await expect(db.transaction((tx) => tx.run(raise, [message]))).rejects.toEqual(unavailable)
  })

  test.each([
    [3, `Error writing file '/tmp/MYfd=50' (Errcode: 5 "Input/output error")`],
    [1062, `Duplicate entry '(errno: 28)' for key 'name'`],
  ])('does not include the error %i: %s', async (errno, message) => {
    await using database = await emptyDatabase('mariadb')
    await using db = await open(String(database.place.mysqlUrl))
    const raise = `SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = ?`

    await expect(db.transaction((tx) => tx.run(raise, [message]))).rejects.not.toBeInstanceOf(PublicError)
  })

  test.each([3101, 1213, 1205, 1226, 4031, 3024])(
    'with the number %i is retried: the transaction commits once',
    async (errno) => {
      await using database = await emptyDatabase('mariadb')
      await using db = await open(String(database.place.mysqlUrl))
      await db.transaction((tx) => tx.run('CREATE TABLE `probe` (`attempt` INTEGER)'), 'idempotent')
      let attempts = 0
      await db.transaction(async (tx) => {
        attempts += 1
        await tx.run('INSERT INTO `probe` VALUES (?)', [attempts])
        if (attempts < 3)
          await tx.run(
            `SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'raised by the test'`,
          )
      }, 'idempotent')
      expect(await db.rows('SELECT `attempt` FROM `probe`')).toEqual([{ attempt: 3 }])
    },
  )

  test('does not include an error of the statement itself', async () => {
    await using database = await emptyDatabase('mariadb')
    await using db = await open(String(database.place.mysqlUrl))

    await expect(db.rows('SELECT * FROM `nowhere`')).rejects.not.toBeInstanceOf(PublicError)
  })

  test('is a 503 for an account over its query limit', async () => {
    await using server = await KillableMariadb.start()
    await server.query('CREATE DATABASE odograph')
    await server.query("CREATE USER limited@'%' WITH MAX_QUERIES_PER_HOUR 20")
    await server.query("GRANT ALL ON odograph.* TO limited@'%'")
    await using db = await open(server.url('odograph').replace('root@', 'limited@'))
    const reads = await Promise.allSettled(Array.from({ length: 30 }, () => db.rows('SELECT 1')))

    const failures = reads.filter((read) => read.status === 'rejected').map(({ reason }) => reason as unknown)
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toEqual(unavailable)
  })
})

async function open(mysqlUrl: string) {
  const db = await openDatabase({ mysqlUrl, sqlitePath: '', poolSize: 2, timeoutMs: 1000 })
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() })
}

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { createDatabaseTarget, type DatabaseTarget } from '../../support/database/flaky-database.ts'
import { stores } from '../../support/database/stores.ts'

/** Examines 10^12 rows and finds none: it does not end by itself while a test runs. */
const ENDLESS = 'FROM numbers AS a, numbers AS b, numbers AS c, numbers AS d WHERE a.n + b.n + c.n + d.n < ?'
const READ = `SELECT a.n ${ENDLESS}`
const WRITE = `INSERT INTO things (id, n) SELECT a.n, b.n ${ENDLESS}`

const SHORT_MS = 300

/** Leaves only the kill to end the statements of the pool's open connections. */
const withoutServerLimit = async (db: Database): Promise<void> => {
  for (const connections of [db, db.forReading()])
    await connections.rows('SET SESSION max_statement_time = 0')
}

type Run = (db: Database) => Promise<unknown>

const RUNS: readonly (readonly [string, Run])[] = [
  ['a read', (db) => db.rows(READ, [0])],
  ['a read of a job', (db) => db.inBackground().rows(READ, [0])],
  ['a read of a replica', (db) => db.forReading().rows(READ, [0])],
  ['a read in a transaction', (db) => db.transaction((tx) => tx.rows(READ, [0]))],
  ['a write', (db) => db.transaction((tx) => tx.run(WRITE, [0]))],
  [
    'a write after another one',
    (db) =>
      db.transaction(async (tx) => {
        await tx.run("UPDATE things SET n = n + 1 WHERE id = 'row'")
        await tx.run(WRITE, [0])
      }),
  ],
]

describe.skipIf(!stores.includes('mariadb'))('on the server, a statement ends with its time limit:', () => {
  let target: DatabaseTarget
  beforeAll(async () => {
    target = await createDatabaseTarget()
    await target.direct('CREATE TABLE `numbers` (`n` int PRIMARY KEY)')
    await target.direct(
      'INSERT INTO `numbers` WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 1000) SELECT n FROM s',
    )
  })
  afterAll(() => target?.[Symbol.asyncDispose]())

  const running = () =>
    target.direct<{ ID: number }>(
      `SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE '%numbers AS d%'
        AND ID <> CONNECTION_ID()`,
    )

  const until = (check: () => unknown) => vi.waitFor(check, { timeout: 5000, interval: 20 })
  const untilNoneRuns = () => until(async () => expect(await running()).toEqual([]))

  test.each(RUNS)('%s', async (_, run) => {
    await using flakyDatabase = await target.open({ timeoutMs: SHORT_MS, poolSize: 1, hasReplica: true })
    await withoutServerLimit(flakyDatabase.db)
    await target.direct("REPLACE INTO things (id, n) VALUES ('row', 0)")

    await expect(run(flakyDatabase.db)).rejects.toMatchObject({ code: 'service_unavailable' })

    await untilNoneRuns()
    expect(await target.direct("SELECT n FROM things WHERE id = 'row' FOR UPDATE")).toEqual([{ n: 0 }])
  })

  test('many at once, with an exhausted pool', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: SHORT_MS, poolSize: 5 })
    const { db } = flakyDatabase
    // The pool opens all its connections for them.
    await Promise.all(Array.from({ length: 5 }, () => db.rows('SET SESSION max_statement_time = 0')))
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => db.rows(READ, [0])))

    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    await untilNoneRuns()
  })

  test('a read whose connection is lost', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: 2000, poolSize: 1 })
    const { db, proxy } = flakyDatabase
    const read = db.rows(READ, [0]).catch((error: unknown) => error)
    await until(async () => expect(await running()).toHaveLength(1))
    const [first] = await running()

    proxy.cut()

    await until(async () => expect(await running()).not.toContainEqual(first))
    await read
    await untilNoneRuns()
  })

  test('if the kill fails, which is logged, by the limit that the server knows', async () => {
    const warnings: string[] = []
    await using flakyDatabase = await target.open({
      timeoutMs: SHORT_MS,
      poolSize: 1,
      log: { warn: (_fields, message) => void warnings.push(message) },
    })
    const { db, proxy } = flakyDatabase
    expect(await db.rows('SELECT @@max_statement_time AS seconds')).toEqual([
      { seconds: (4 * SHORT_MS) / 1000 },
    ])
    proxy.outcomeOf = (sent) => (sent.includes('PROCESSLIST') ? 'lost' : 'delivered')

    await expect(db.rows(READ, [0])).rejects.toMatchObject({ code: 'service_unavailable' })

    await until(() => expect(warnings).toEqual(['statement kill failed']))
    await untilNoneRuns()
  })

  test('a statement without time left is not sent', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: 0, poolSize: 1 })
    await expect(flakyDatabase.db.rows(READ, [0])).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await running()).toEqual([])
  })
})

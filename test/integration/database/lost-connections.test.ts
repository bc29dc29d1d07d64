import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PublicError } from '../../../src/domain/errors.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/database/stores.ts'
import {
  ROWS_WITHOUT_ONE_EVENT,
  createDatabaseTarget,
  type DatabaseTarget,
  writeOnce,
} from '../../support/database/flaky-database.ts'

let target: DatabaseTarget
beforeAll(async () => {
  if (stores.includes('mariadb')) target = await createDatabaseTarget()
})
afterAll(() => target?.[Symbol.asyncDispose]())

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => `row_${at}`)

/** Matches every second statement of a kind, so that the next attempt passes. */
function everySecond(kind: string) {
  let seen = 0
  return (sent: Buffer) => sent.includes(kind) && seen++ % 2 === 0
}

describe.skipIf(!stores.includes('mariadb'))('a transaction with a lost connection', () => {
  test.each(['unanswered', 'lost'] as const)('takes effect once if its COMMIT is %s', async (outcome) => {
    await using flakyDatabase = await target.open({ poolSize: 4 })
    const { db, proxy } = flakyDatabase
    const cut = everySecond('COMMIT')
    let cuts = 0
    proxy.outcomeOf = (sent) => (cut(sent) && ++cuts ? outcome : 'delivered')

    const written = await Promise.all(rowsOf(40).map((row) => writeOnce(db, row)))

    expect(written).toEqual(rowsOf(40))
    expect(cuts).toBeGreaterThanOrEqual(20)
    expect(await target.direct('SELECT id FROM things')).toHaveLength(40)
    expect(await target.direct(ROWS_WITHOUT_ONE_EVENT)).toEqual([])
  })

  test('is retried completely if the connection is lost before COMMIT', async () => {
    await using flakyDatabase = await target.open({ poolSize: 4 })
    const { db, proxy } = flakyDatabase
    const cut = everySecond('INSERT INTO `events`')
    proxy.outcomeOf = (sent) => (cut(sent) ? 'unanswered' : 'delivered')

    await Promise.all(rowsOf(20).map((row) => writeOnce(db, row)))

    expect(await target.direct('SELECT id FROM things')).toHaveLength(20)
    expect(await target.direct(ROWS_WITHOUT_ONE_EVENT)).toEqual([])
  })

  test('takes effect once if the connection is lost at any statement, and leaks no connection', async () => {
    await using flakyDatabase = await target.open({ poolSize: 4, timeoutMs: 20_000 })
    const { db, proxy } = flakyDatabase
    let statement = 0
    proxy.outcomeOf = () =>
      ++statement % 37 === 0 ? 'unanswered' : statement % 53 === 0 ? 'lost' : 'delivered'

    await Promise.all(rowsOf(40).map((row) => writeOnce(db, row)))

    proxy.outcomeOf = () => 'delivered'
    expect(await target.direct('SELECT id FROM things')).toHaveLength(40)
    expect(await target.direct(ROWS_WITHOUT_ONE_EVENT)).toEqual([])
    await Promise.all(rowsOf(40).map(() => db.rows('SELECT 1')))
    expect(await target.connections()).toBeLessThanOrEqual(4)
  })

  test('fails with an uncertain outcome if the database stays unreachable', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: 500 })
    const { db, proxy } = flakyDatabase
    proxy.outcomeOf = (sent) => {
      if (!sent.includes('COMMIT')) return 'delivered'
      proxy.outcomeOf = () => 'lost'
      return 'unanswered'
    }

    await expect(writeOnce(db, 'row')).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('Check whether the change was made'),
    })

    expect(await target.direct(ROWS_WITHOUT_ONE_EVENT)).toEqual([])
  })
})

describe.skipIf(!stores.includes('mariadb'))('a silent connection', () => {
  test('fails every caller, and connections are restored afterwards', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: 3000, poolSize: 2 })
    const { db, proxy } = flakyDatabase
    await Promise.all([db.rows('SELECT 1'), db.rows('SELECT 1')])

    proxy.fallSilent()
    const answers = await Promise.allSettled([...rowsOf(6).map((row) => writeOnce(db, row)), ...reads(db, 6)])
    expect(answers.map(isUnavailable)).toEqual(answers.map(() => true))

    proxy.recover()
    await writeOnce(db, 'afterwards')
    expect(await target.direct(ROWS_WITHOUT_ONE_EVENT)).toEqual([])
    expect(await db.rows('SELECT id FROM things')).toHaveLength(1)
  })
})

const reads = (db: Database, count: number) => rowsOf(count).map(() => db.rows('SELECT 1'))

const isUnavailable = (answer: PromiseSettledResult<unknown>) =>
  answer.status === 'rejected' &&
  answer.reason instanceof PublicError &&
  answer.reason.code === 'service_unavailable'

describe.skipIf(!stores.includes('mariadb'))('an exhausted pool', () => {
  test('answers or refuses each slow read, and keeps all its connections', async () => {
    await using flakyDatabase = await target.open({ timeoutMs: 1500, poolSize: 2 })
    const { db } = flakyDatabase

    const slow = rowsOf(200).map(() => db.rows('SELECT SLEEP(0.05)'))
    const answers = await Promise.allSettled(slow)

    const answered = answers.filter(({ status }) => status === 'fulfilled').length
    expect(answered).toBeGreaterThan(10)
    expect(answers.filter(isUnavailable)).toHaveLength(200 - answered)
    const slowTransaction = () => db.transaction((tx) => tx.rows('SELECT SLEEP(0.1)'))
    await Promise.all([slowTransaction(), slowTransaction()])
    expect(await target.connections()).toBeLessThanOrEqual(2)
  })
})

describe.skipIf(!stores.includes('mariadb'))('writers that lock the same rows in different orders', () => {
  test('all succeed, and every transaction is atomic', async () => {
    await using flakyDatabase = await target.open({ poolSize: 16, timeoutMs: 30_000 })
    const { db } = flakyDatabase
    const four = rowsOf(4)
    await Promise.all(four.map((row) => writeOnce(db, row)))
    let tries = 0
    const addTo = (rows: readonly string[]) =>
      db.transaction(async (tx) => {
        tries++
        for (const row of rows) await tx.run('UPDATE things SET n = n + 1 WHERE id = ?', [row])
      })

    const writers = Array.from({ length: 16 }, async (_, at) => {
      for (let turn = 0; turn < 12; turn++) await addTo(at % 2 ? four : [...four].reverse())
    })
    await Promise.all(writers)

    expect(tries).toBeGreaterThan(16 * 12)
    expect(await target.direct('SELECT DISTINCT n FROM things')).toEqual([{ n: 16 * 12 }])
    expect(await target.connections()).toBeLessThanOrEqual(16)
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FairShares, type FairShare } from '../../../src/gateway/fair-shares.ts'
import type { RepositoryDeps } from '../../../src/subgraphs/schema/repository-deps.ts'

/** Database whose statements end when the test ends them. */
class FakeDatabase {
  readonly dialect = 'sqlite'
  readonly started: string[] = []
  private readonly open: { end: (rows: object[]) => void; fail: (error: Error) => void }[] = []

  rows = <T>(sql: string): Promise<T[]> => {
    this.started.push(sql)
    return new Promise<T[]>((resolve, reject) =>
      this.open.push({ end: (rows) => resolve(rows as T[]), fail: reject }),
    )
  }

  end(rowCount: number): void {
    this.open.shift()!.end(Array.from({ length: rowCount }, () => ({})))
  }

  fail(): void {
    this.open.shift()!.fail(new Error('the statement failed'))
  }
}

/** Database that returns this many rows at once. */
const databaseOf = (rowCount: number): RepositoryDeps['db'] => ({
  dialect: 'sqlite',
  rows: <T>() => Promise.resolve(Array.from({ length: rowCount }, () => ({}) as T)),
})

/** Runs operations of one statement each. Returns a counter of those that have ended. */
function flood(share: FairShare, operations: number, rowCount: number): () => number {
  let ended = 0
  const db = share.reads(databaseOf(rowCount), undefined)
  for (let at = 0; at < operations; at++)
    void (async () => {
      await share.operation(rowCount)
      await db.rows('SELECT')
      ended++
    })()
  return () => ended
}

async function turnsUntil(isDone: () => boolean): Promise<number> {
  let turns = 0
  for (; !isDone(); turns++) await nextTurn()
  return turns
}

test('a small operation begins at once', () => {
  expect(new FairShares(1).of('app_1').operation(20)).toBeUndefined()
})

test('an application has only so many statements at the database', async () => {
  const db = new FakeDatabase()
  const reads = new FairShares(2).of('app_1').reads(db, undefined)
  const results = ['one', 'two', 'three'].map((sql) => reads.rows(sql))
  expect(db.started).toEqual(['one', 'two'])
  db.end(1)
  await results[0]
  expect(db.started).toEqual(['one', 'two', 'three'])
})

test('the slot of a statement that fails is free again', async () => {
  const db = new FakeDatabase()
  const reads = new FairShares(1).of('app_1').reads(db, undefined)
  const failing = reads.rows('one')
  void reads.rows('two')
  db.fail()
  await expect(failing).rejects.toThrow('the statement failed')
  expect(db.started).toEqual(['one', 'two'])
})

test('statements of operations that have begun go before new operations', async () => {
  const db = new FakeDatabase()
  const share = new FairShares(1).of('app_1')
  const reads = share.reads(db, undefined)
  let hasBegun = false
  const first = reads.rows('first')
  void share.operation(0)?.then(() => (hasBegun = true))
  void reads.rows('second')
  db.end(1)
  await first
  await nextTurn()
  expect(db.started).toEqual(['first', 'second'])
  expect(hasBegun).toBe(false)
  db.end(1)
  await nextTurn()
  expect(hasBegun).toBe(true)
})

test('statements are counted in the log context', async () => {
  const logContext = { statements: 0 }
  const reads = new FairShares(1).of('app_1').reads(databaseOf(1), logContext)
  await Promise.all([reads.rows('one'), reads.rows('two')])
  expect(logContext.statements).toBe(2)
})

test('a flood of large results does not delay the small operations of another application', async () => {
  const shares = new FairShares(1)
  const large = flood(shares.of('app_1'), 200, 1000)
  await nextTurn()
  for (let at = 0; at < 20; at++) {
    const before = large()
    const small = flood(shares.of('app_2'), 1, 1)
    expect(await turnsUntil(() => small() === 1)).toBeLessThanOrEqual(1)
    // The first small operation finds the flood alone, so its turn may have ten large results.
    expect(large() - before).toBeLessThanOrEqual(at === 0 ? 10 : 1)
  }
})

test('two floods of the same size get as many turns each', async () => {
  const shares = new FairShares(1)
  const one = flood(shares.of('app_1'), 100, 100)
  const two = flood(shares.of('app_2'), 100, 100)
  await turnsUntil(() => one() >= 50)
  expect(Math.abs(one() - two())).toBeLessThanOrEqual(2)
})

test('a flood ends in the end, alone and with others', async () => {
  const shares = new FairShares(2)
  const floods = [flood(shares.of('app_1'), 50, 1000), flood(shares.of('app_2'), 50, 300)]
  await turnsUntil(() => floods[0]!() === 50 && floods[1]!() === 50)
  const alone = flood(shares.of('app_3'), 50, 1000)
  await turnsUntil(() => alone() === 50)
})

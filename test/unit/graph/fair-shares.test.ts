import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PublicError } from '../../../src/domain/errors.ts'
import { FairShares, type FairShare, type OperationReads } from '../../../src/gateway/load/fair-shares.ts'
import { OperationLifetime } from '../../../src/gateway/load/operation-lifetime.ts'
import { ReadSize } from '../../../src/gateway/load/read-size.ts'
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

const readsOf = (lifetime: OperationLifetime): OperationReads => ({
  logContext: undefined,
  lifetime,
  size: new ReadSize(1, lifetime),
})

const unlimited = (): OperationReads => readsOf(new OperationLifetime())

/** Runs operations of one statement each. Returns a counter of those that have ended. */
function flood(share: FairShare, operations: number, rowCount: number): () => number {
  let ended = 0
  const db = share.reads(databaseOf(rowCount), unlimited())
  for (let at = 0; at < operations; at++)
    void (async () => {
      await share.operation(rowCount, new OperationLifetime())
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
  expect(new FairShares(1).of('app_1').operation(20, new OperationLifetime())).toBeUndefined()
})

test('an application has only so many statements at the database', async () => {
  const db = new FakeDatabase()
  const reads = new FairShares(2).of('app_1').reads(db, unlimited())
  const results = ['one', 'two', 'three'].map((sql) => reads.rows(sql))
  expect(db.started).toEqual(['one', 'two'])
  db.end(1)
  await results[0]
  expect(db.started).toEqual(['one', 'two', 'three'])
})

test('the slot of a statement that fails is free again', async () => {
  const db = new FakeDatabase()
  const reads = new FairShares(1).of('app_1').reads(db, unlimited())
  const failing = reads.rows('one')
  void reads.rows('two')
  db.fail()
  await expect(failing).rejects.toThrow('the statement failed')
  expect(db.started).toEqual(['one', 'two'])
})

test('statements of operations that have begun go before new operations', async () => {
  const db = new FakeDatabase()
  const share = new FairShares(1).of('app_1')
  const reads = share.reads(db, unlimited())
  let hasBegun = false
  const first = reads.rows('first')
  void share.operation(0, new OperationLifetime())?.then(() => (hasBegun = true))
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
  const reads = new FairShares(1).of('app_1').reads(databaseOf(1), { ...unlimited(), logContext })
  await Promise.all([reads.rows('one'), reads.rows('two')])
  expect(logContext.statements).toBe(2)
})

test('a flood of large results does not delay the small operations of another application', async () => {
  const shares = new FairShares(1)
  const large = flood(shares.of('app_1'), 200, 1000)
  await nextTurn()
  for (let index = 0; index < 20; index++) {
    const before = large()
    const small = flood(shares.of('app_2'), 1, 1)
    expect(await turnsUntil(() => small() === 1)).toBeLessThanOrEqual(1)
    // The first small operation finds the flood alone, so its turn may have ten large results.
    expect(large() - before).toBeLessThanOrEqual(index === 0 ? 10 : 1)
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

/** Sends refused requests one after the other, as a client that does not wait. Returns a counter of its answers. */
function refusedFlood(share: FairShare, clients: number, isOver: () => boolean): () => number {
  let answered = 0
  for (let client = 0; client < clients; client++)
    void (async () => {
      for (; !isOver(); answered++) await share.refusal(new OperationLifetime())
    })()
  return () => answered
}

test('a flood of refused requests has only a few answers in a turn, while another application is active', async () => {
  const shares = new FairShares(1)
  let isOver = false
  const refused = refusedFlood(shares.of('app_1'), 200, () => isOver)
  flood(shares.of('app_2'), 1, 1)
  await nextTurn()
  for (let turn = 0; turn < 20; turn++) {
    const before = refused()
    flood(shares.of('app_2'), 1, 1)
    await nextTurn()
    expect(refused() - before).toBeLessThanOrEqual(10)
  }
  isOver = true
})

test('refused requests of the only active application take no turns', async () => {
  const share = new FairShares(1).of('app_1')
  flood(share, 1, 1000)
  let answered = 0
  for (let request = 0; request < 100; request++)
    void share.refusal(new OperationLifetime()).then(() => answered++)
  await nextTurn()
  expect(answered).toBe(100)
})

test('refused requests do not wait for the operations of their application, nor delay them', async () => {
  const shares = new FairShares(1)
  let isOver = false
  const large = flood(shares.of('app_1'), 100, 1000)
  const refused = refusedFlood(shares.of('app_1'), 200, () => isOver)
  await turnsUntil(() => refused() >= 100)
  expect(large()).toBeLessThan(100)
  await turnsUntil(() => large() === 100)
  isOver = true
})

test('a refused request whose client has left has its answer at once', async () => {
  const shares = new FairShares(1)
  let isOver = false
  refusedFlood(shares.of('app_1'), 2000, () => isOver)
  const lifetime = new OperationLifetime()
  let hasAnswer = false
  void shares
    .of('app_1')
    .refusal(lifetime)
    .then(() => (hasAnswer = true))
  await Promise.resolve()
  expect(hasAnswer).toBe(false)
  lifetime.end(() => ended)
  await nextTurn()
  expect(hasAnswer).toBe(true)
  isOver = true
})

const ended = new PublicError('gateway_timeout', 'The time is over.')

test('an operation that ends early leaves the queue and reads nothing more', async () => {
  const db = new FakeDatabase()
  const share = new FairShares(1).of('app_1')
  const running = share.reads(db, unlimited()).rows('running')
  const lifetime = new OperationLifetime()
  const reads = share.reads(db, readsOf(lifetime))
  const waiting = reads.rows('of the ended operation')
  const next = share.reads(db, unlimited()).rows('of the next operation')
  lifetime.end(() => ended)
  await expect(waiting).rejects.toBe(ended)
  await expect(reads.rows('later')).rejects.toBe(ended)
  db.end(1)
  await running
  expect(db.started).toEqual(['running', 'of the next operation'])
  db.end(1)
  await next
})

test('an operation that ends early while it reads frees its statement', async () => {
  const db = new FakeDatabase()
  const share = new FairShares(1).of('app_1')
  const lifetime = new OperationLifetime()
  const reading = share.reads(db, readsOf(lifetime)).rows('of the ended operation')
  void share.reads(db, unlimited()).rows('of the next operation')
  lifetime.end(() => ended)
  db.end(1)
  await expect(reading).rejects.toBe(ended)
  expect(db.started).toEqual(['of the ended operation', 'of the next operation'])
})

test('an application has only so many requests that wait', async () => {
  const share = new FairShares(1).of('app_1')
  const request = () => share.request(0, new OperationLifetime())
  const blocked = new FakeDatabase()
  void share.reads(blocked, unlimited()).rows('running')
  const waiting = Array.from({ length: 1000 }, request)
  expect(request).toThrow('1000 requests that wait')
  blocked.end(1)
  await Promise.all(waiting)
  await nextTurn()
  expect(request()).toBeUndefined()
})

test('a request that ends early makes room for another one that waits', async () => {
  const share = new FairShares(1).of('app_1')
  void share.reads(new FakeDatabase(), unlimited()).rows('running')
  const lifetime = new OperationLifetime()
  const waiting = Array.from({ length: 1000 }, () => share.request(0, lifetime))
  lifetime.end(() => ended)
  await Promise.allSettled(waiting)
  void share.request(0, new OperationLifetime())
})

test('new documents of an application are parsed in its turns', async () => {
  const share = new FairShares(1).of('app_1')
  let parsed = 0
  // Each of them takes several turns.
  for (let at = 0; at < 3; at++) void share.document(200_000, new OperationLifetime()).then(() => parsed++)
  await nextTurn()
  expect(parsed).toBe(1)
  expect(await turnsUntil(() => parsed === 3)).toBeGreaterThan(2)
})

test('a new document does not wait for the statements of its application', async () => {
  const db = new FakeDatabase()
  const share = new FairShares(1).of('app_1')
  const reads = share.reads(db, unlimited())
  const results = ['one', 'two'].map((sql) => reads.rows(sql))
  let hasBegun = false
  const begin = Promise.resolve(share.operation(20, new OperationLifetime())).then(() => (hasBegun = true))
  await share.document(100, new OperationLifetime())
  expect([db.started, hasBegun]).toEqual([['one'], false])
  for (const result of results) {
    db.end(1)
    await result
  }
  await begin
})

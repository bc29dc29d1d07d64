import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestLogDrops } from '../../../src/platform/instrumentation.ts'
import type { LogContext } from '../../../src/platform/logging/log-context.ts'
import type { Transaction } from '../../../src/storage/database.ts'
import type { LoggedRequest } from '../../../src/subgraphs/connections/requests/logged-request.ts'
import {
  createRequestLogWriter,
  MAX_WAITING_ROWS,
  MAX_WAITING_SUCCESSES,
  type RequestLogWriter,
  ROWS_PER_SECOND,
} from '../../../src/subgraphs/connections/requests/request-log-writer.ts'

const START = Date.UTC(2026, 0, 31, 12)

const clock = { now: () => START, ms: START }
let writes: LoggedRequest[][]
let drops: Record<string, number>
let errors: unknown[]
/** Runs before each write. */
let beforeWrite: () => Promise<void>
let requestLog: RequestLogWriter
let stopCounting: () => void

beforeEach(() => {
  vi.useFakeTimers()
  clock.now = () => clock.ms
  clock.ms = START
  writes = []
  drops = {}
  errors = []
  beforeWrite = () => Promise.resolve()
  stopCounting = requestLogDrops.on(({ reason, count }) => (drops[reason] = (drops[reason] ?? 0) + count))
  const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    await beforeWrite()
    return work({
      upsert: async (_table: unknown, rows: LoggedRequest[]) => void writes.push(rows),
    } as unknown as Transaction)
  }
  requestLog = createRequestLogWriter({
    db: { transaction },
    clock,
    onWriteError: (error) => errors.push(error),
  })
})

afterEach(() => {
  stopCounting()
  vi.useRealTimers()
})

let applications = 0

/** Records a request, of a new application unless one is given. */
function record(logContext: Partial<LogContext> = {}, count = 1): void {
  for (let time = 0; time < count; time++)
    requestLog.record({
      interface: 'rest',
      status: 200,
      durationMs: 12.34,
      logContext: {
        requestId: 'r',
        applicationId: `app_${(applications += 1)}`,
        statements: 0,
        ...logContext,
      },
    })
}

const failed = { details: { errorCode: 'not_found' } }
const rowCounts = () => writes.map(({ length }) => length)

test('one write a second takes the requests of that second, and none is made without requests', async () => {
  record({}, 80)
  await vi.advanceTimersByTimeAsync(999)
  expect(writes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(rowCounts()).toEqual([80])
  expect(vi.getTimerCount()).toBe(0)
  record()
  await vi.advanceTimersByTimeAsync(1000)
  expect(rowCounts()).toEqual([80, 1])
})

test('a burst is written at 100 rows a second', async () => {
  record({}, 240)
  await vi.advanceTimersByTimeAsync(3000)
  expect(rowCounts()).toEqual([100, 100, 40])
  expect(drops).toEqual({})
})

test('a full buffer drops and counts requests, successes first', () => {
  record({}, MAX_WAITING_SUCCESSES + 7)
  expect(drops).toEqual({ full: 7 })
  record(failed, MAX_WAITING_ROWS - MAX_WAITING_SUCCESSES)
  expect(drops).toEqual({ full: 7 })
  record(failed, 3)
  expect(drops).toEqual({ full: 10 })
})

test('the requests of a slow write wait for it, and closing writes them', async () => {
  let finish = () => undefined as void
  beforeWrite = () => new Promise((resolve) => (finish = resolve))
  record()
  await vi.advanceTimersByTimeAsync(1000)
  record({}, 5)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(writes).toEqual([])
  beforeWrite = () => Promise.resolve()
  const closed = requestLog.close()
  finish()
  await closed
  expect(rowCounts()).toEqual([1, 5])
})

test('a failed write is reported and counted, and later requests are written', async () => {
  beforeWrite = () => Promise.reject(new Error('the database is away'))
  record({}, 3)
  await vi.advanceTimersByTimeAsync(1000)
  expect([writes, drops, errors.map(String)]).toEqual([[], { failed: 3 }, ['Error: the database is away']])
  beforeWrite = () => Promise.resolve()
  record()
  await requestLog.close()
  expect(rowCounts()).toEqual([1])
})

const waiting = { policy: 'key', pointsPerMinute: 1, remainingPoints: 0, msUntilFull: 1, waitMs: 1 }

test.each([
  ['successes', {}, ROWS_PER_SECOND.succeeded],
  ['failures', failed, ROWS_PER_SECOND.failed],
  ['refusals by the rate limit', { rateLimit: waiting, ...failed }, ROWS_PER_SECOND.refused],
])('of the %s of one application, a second has a number of rows', async (_name, logContext, kept) => {
  record({ applicationId: 'app_flood', ...logContext }, kept + 20)
  record({ applicationId: 'app_other', ...logContext })
  await vi.advanceTimersByTimeAsync(1000)
  expect(rowCounts()).toEqual([kept + 1])
  expect(drops).toEqual({ rate: 20 })
  clock.ms += 1000
  record({ applicationId: 'app_flood', ...logContext })
  await requestLog.close()
  expect(rowCounts()).toEqual([kept + 1, 1])
})

test('requests without an application share a few rows a second', async () => {
  const { applicationId: _, ...anonymous } = { applicationId: undefined, requestId: 'r', statements: 0 }
  for (let time = 0; time < 50; time++)
    requestLog.record({ interface: 'graphql', status: 401, durationMs: 1, logContext: anonymous })
  await requestLog.close()
  expect(rowCounts()).toEqual([ROWS_PER_SECOND.refused])
})

test('a row has the time of the arrival, and only bounded values without secrets', async () => {
  const secret = 'sk_prod_0123456789ABCDEFGHIJabcdefghij01'
  record({
    requestId: secret,
    applicationId: 'app_1',
    connectionId: 'conn_1',
    operation: secret,
    cost: Infinity,
    details: { keyId: 'key_1', documentHash: 'abc', errorCode: `any text: ${'x'.repeat(1000)}` },
  })
  await requestLog.close()
  expect(writes[0]).toEqual([
    {
      id: expect.stringMatching(/^req_/),
      requestId: 'sk_prod_…',
      at: START - 12,
      applicationId: 'app_1',
      connectionId: 'conn_1',
      keyId: 'key_1',
      sessionId: null,
      interface: 'rest',
      operation: 'sk_prod_…',
      documentHash: 'abc',
      cost: Number.MAX_SAFE_INTEGER,
      status: 200,
      errorCode: 'unknown',
      durationMs: 12.3,
    },
  ])
})

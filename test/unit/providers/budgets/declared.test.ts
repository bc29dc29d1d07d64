import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RateLimit, countersOf } from '../../../../src/providers/rate-limit/rate-limit.ts'
import type { PermitRequest } from '../../../../src/providers/rate-limit/limiter-store.ts'
import { createMemoryStore } from '../../../../src/providers/rate-limit/memory-store.ts'

/** Like the limits of Samsara: a total, one for each endpoint, and more for some endpoints. */
const samsara: RateLimit[] = [
  { per: 'provider', requests: 200, perSeconds: 1 },
  { per: 'account', requests: 150, perSeconds: 1 },
  { per: 'account', requests: 25, perSeconds: 1, endpoints: ['GET /fleet/vehicles'] },
  {
    per: 'account',
    requests: 5,
    perSeconds: 1,
    each: true,
    endpoints: ['/fleet/*'],
    except: ['/fleet/vehicles'],
  },
  { per: 'account', requests: 10, perSeconds: 0, endpoints: ['GET /fleet/hos/logs'] },
]

const requestsOf = (endpoint: string) =>
  countersOf(samsara, 'account', endpoint).map(({ requests }) => requests)

test('a request counts against every matching limit, the narrowest first', () => {
  expect(requestsOf('GET /fleet/vehicles')).toEqual([25, 150, 200])
  expect(requestsOf('GET /fleet/hos/logs')).toEqual([5, 10, 150, 200])
  expect(requestsOf('POST /me')).toEqual([150, 200])
})

test('endpoints and accounts have separate counters', () => {
  const keys = (account: string, endpoint: string) =>
    countersOf(samsara, account, endpoint).map(({ key }) => key)
  const [one = '', ...rest] = keys('account', 'GET /fleet/drivers')
  const [other = '', ...same] = keys('account', 'GET /fleet/trailers')
  expect(one).not.toBe(other)
  expect(rest).toEqual(same)
  const [mine, theirs] = [keys('account', 'POST /me'), keys('another', 'POST /me')]
  expect(mine[0]).not.toBe(theirs[0])
  expect(mine[1]).toBe(theirs[1])
})

test('a changed budget keeps its counter', () => {
  const key = (requests: number) =>
    countersOf([{ per: 'account', requests, perSeconds: 1 }], 'account', 'GET /')[0]?.key
  expect(key(10)).toBe(key(20))
})

test('background requests leave a fifth of the budget, and may use a budget of one', () => {
  const background = (requests: number) =>
    countersOf([{ per: 'account', requests, perSeconds: 1 }], 'account', 'GET /')[0]?.background
  expect([1, 2, 5, 25, 100].map(background)).toEqual([1, 1, 4, 20, 80])
})

const request = fc.record({
  afterMs: fc.integer({ min: 0, max: 400 }),
  latencyMs: fc.integer({ min: 0, max: 900 }),
  answerMs: fc.integer({ min: 0, max: 300 }),
  live: fc.boolean(),
})

test('no window of the provider exceeds the budget, whatever the latency of the requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 10, maxLength: 80 }),
      fc.integer({ min: 1, max: 8 }),
      async (requests, budget) => {
        const counted = await simulate(requests, budget)
        for (const from of counted)
          expect(counted.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(budget)
        expect(counted).toHaveLength(requests.length)
      },
    ),
    { numRuns: 60 },
  )
})

interface Simulated {
  readonly afterMs: number
  readonly latencyMs: number
  readonly answerMs: number
  readonly live: boolean
}

/** Runs requests in simulated time. Returns the times at which the provider counted them. */
async function simulate(requests: readonly Simulated[], budget: number): Promise<number[]> {
  let now = 0
  const store = createMemoryStore({ nowMs: () => now })
  const counters = countersOf([{ per: 'account', requests: budget, perSeconds: 1 }], 'account', 'GET /')
  const counted: number[] = []
  const events: { at: number; run(): Promise<void> | void }[] = []
  const later = (ms: number, run: () => Promise<void> | void) => void events.push({ at: now + ms, run })
  for (const [number, { afterMs, latencyMs, answerMs, live }] of requests.entries()) {
    const ask: PermitRequest = { id: String(number), provider: 'p', account: 'account', live, counters }
    const attempt = async () => {
      const wait = await store.take(ask)
      if (wait) return later(wait.waitMs, attempt)
      later(latencyMs, () => void counted.push(now))
      later(latencyMs + answerMs, () => store.settle(ask))
    }
    later(afterMs * 5, attempt)
  }
  for (;;) {
    events.sort((one, other) => one.at - other.at)
    const next = events.shift()
    if (!next) return counted
    now = next.at
    await next.run()
  }
}

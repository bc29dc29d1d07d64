import { afterAll, beforeAll, expect, test } from 'vitest'
import { RequestRateLimiter } from '../../../src/gateway/rate-limit/request-rate-limiter.ts'
import { RateLimitStore } from '../../../src/gateway/rate-limit/rate-limit-store.ts'
import { pacedEvents } from '../../../src/gateway/rate-limit/paced-events.ts'
import { FederationHarness, until } from '../../support/federation/federation-harness.ts'

const AMPLE = 1_000_000_000
/** The start of a subscription takes 100 points. Each event costs 1.2: an object and two values. */
const POINTS = 103
const EVENTS = 'subscription ($after: ID!) { events(after: $after) { id type } }'

let federation: FederationHarness
const clock = { ms: 0 }
let position = 1000
const appendEvent = () => federation.appendEvent((position += 1))

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
afterAll(() => federation[Symbol.asyncDispose]())

test('events wait for their points, and none is lost', async () => {
  const store = new RateLimitStore(null, () => clock.ms)
  const limits = { application: POINTS, key: AMPLE, connection: AMPLE }
  const gateway = await federation.startGateway({ rateLimiter: new RequestRateLimiter(store, limits) })
  const after = await appendEvent()
  const sent: string[] = []
  for (let count = 0; count < 6; count++) sent.push(await appendEvent())
  const events = gateway.subscribe<{ events: { id: string } }>(EVENTS, { after })
  const received: string[] = []
  const reading = (async () => {
    for await (const { data } of events) received.push(data?.events.id ?? 'none')
  })()
  // Three points are left, which suffice for two events.
  await until(() => received.length === 2)
  const answer = await gateway.rest('/vehicles?limit=1')
  expect(answer.status).toBe(429)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(received).toEqual(sent.slice(0, 2))
  clock.ms += 60_000
  await until(() => received.length === 6)
  expect(received).toEqual(sent)
  await events.return?.()
  await reading
})

test('a subscription that waits for points ends at once', async () => {
  const rows = [1, 2][Symbol.iterator]()
  const source: AsyncIterator<number> = {
    next: async () => rows.next(),
    return: async () => ({ done: true, value: undefined }),
  }
  const status = { policy: 'application', pointsPerMinute: 1, remainingPoints: 0, msUntilFull: 60_000 }
  const tries: number[] = []
  const events = pacedEvents(source, () => {
    tries.push(1)
    return { ...status, waitMs: 3_600_000 }
  })
  const next = events.next()
  await until(() => tries.length === 1)
  await events.return?.()
  await next
  expect(tries).toHaveLength(1)
})

import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRequestRateLimiter } from '../../../src/gateway/rate-limit/create-request-rate-limiter.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'

const POINTS_PER_MINUTE = 60_000
/** Points of each request: the least number. */
const POINTS = 100
const CLIENTS = 100

let federation: FederationHarness
let redis: TemporaryRedis
let limiters: ReturnType<typeof createRequestRateLimiter>[]

beforeAll(async () => {
  federation = await FederationHarness.start([])
})
beforeEach(async () => {
  redis = await TemporaryRedis.start()
  limiters = []
})
afterEach(async () => {
  for (const limiter of limiters) await limiter.close()
  await redis[Symbol.asyncDispose]()
})
afterAll(() => federation[Symbol.asyncDispose]())

/** Starts gateways that share one Redis, and waits until each knows all of them. */
async function startGateways(count: number): Promise<GatewayClient[]> {
  const queuePrefix = `test_${randomBytes(4).toString('hex')}`
  const settings = { redisUrl: redis.url, queuePrefix, rateLimitApplication: POINTS_PER_MINUTE }
  limiters = Array.from({ length: count }, () =>
    createRequestRateLimiter(
      { ...settings, rateLimitKey: undefined, rateLimitConnection: undefined },
      silent,
    ),
  )
  await until(() => limiters.every(({ gateways }) => gateways() === count))
  return Promise.all(limiters.map(({ limiter: rateLimiter }) => federation.startGateway({ rateLimiter })))
}

const send = async ({ url }: GatewayClient): Promise<number> => {
  const headers = headersOf(federation.fleet.narrowed(0)) as Record<string, string>
  const response = await fetch(`${url}/tsp/v1/vehicles?limit=1`, { headers })
  await response.text()
  return response.status
}

/** Load of 100 clients that send one request after the other. */
class Load {
  accepted = 0
  refused = 0
  readonly statuses = new Set<number>()
  private readonly startedAt = performance.now()
  private endsAt = Infinity
  private readonly clients: Promise<void>[]

  constructor(gateways: readonly GatewayClient[]) {
    this.clients = Array.from({ length: CLIENTS }, (_, at) =>
      this.sendAll(gateways[at % gateways.length] as GatewayClient),
    )
  }

  private async sendAll(gateway: GatewayClient): Promise<void> {
    while (performance.now() < this.endsAt) {
      const status = await send(gateway)
      this.statuses.add(status)
      if (status === 200) this.accepted += 1
      else this.refused += 1
    }
  }

  /** Ends the load. Returns the accepted points as a share of what the burst and the rate allow. */
  async end(): Promise<number> {
    this.endsAt = performance.now()
    await Promise.all(this.clients)
    const minutes = (performance.now() - this.startedAt) / 60_000
    return (this.accepted * POINTS) / (POINTS_PER_MINUTE * (1 + minutes))
  }
}

describe('100 clients over two gateways', () => {
  test('get what the limit permits, within 2 %', async () => {
    const load = new Load(await startGateways(2))
    await until(() => load.refused > 800)
    const share = await load.end()
    expect([...load.statuses].toSorted()).toEqual([200, 429])
    expect(share).toBeGreaterThan(0.98)
    expect(share).toBeLessThan(1.02)
  })

  test('get what the limit permits, within 20 %, although Redis dies in the middle and comes back', async () => {
    const load = new Load(await startGateways(2))
    await until(() => load.accepted > 300)
    await redis.kill()
    await until(() => load.refused > 500)
    await redis.wipe()
    await redis.start()
    const refusedBefore = load.refused
    await until(() => load.refused > refusedBefore + 800)
    const share = await load.end()
    expect([...load.statuses].toSorted()).toEqual([200, 429])
    expect(share).toBeGreaterThan(0.8)
    expect(share).toBeLessThan(1.2)
  })
})

test.each(['away', 'silent'])('while Redis is %s, requests are answered and limited', async (state) => {
  const [gateway] = (await startGateways(1)) as [GatewayClient]
  expect(await send(gateway)).toBe(200)
  if (state === 'away') await redis.kill()
  else redis.freeze()
  const load = new Load([gateway])
  await until(() => load.refused > 200)
  const share = await load.end()
  if (state === 'silent') redis.thaw()
  expect([...load.statuses].toSorted()).toEqual([200, 429])
  expect(share).toBeGreaterThan(0.8)
  expect(share).toBeLessThan(1.2)
})

test('buckets are in one slot of a Redis cluster, and expire', async () => {
  const [gateway] = (await startGateways(1)) as [GatewayClient]
  expect(await send(gateway)).toBe(200)
  await using client = Object.assign(new (await import('ioredis')).Redis(redis.url), {
    [Symbol.asyncDispose]: async function (this: { disconnect(): void }) {
      this.disconnect()
    },
  })
  const keys = (await client.keys('*')).filter((key) => key.includes('{rates:'))
  expect(keys.map((key) => /(\{.*\}):(\w+):/.exec(key)?.slice(1)).toSorted()).toEqual(
    ['application', 'connection', 'key'].map((kind) => [`{rates:${federation.fleet.id}}`, kind]),
  )
  for (const key of keys) {
    const ttl = await client.pttl(key)
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(60_000)
  }
})

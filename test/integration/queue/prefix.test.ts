import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clusterFindings } from '../../../src/cli/doctor/redis.ts'
import { SharedBuckets } from '../../../src/gateway/rate-limit/shared-buckets.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import type { PermitRequest } from '../../../src/providers/rate-limit/limiter-store.ts'
import { RedisStore } from '../../../src/providers/rate-limit/redis-store.ts'
import { createRedisNotifier } from '../../../src/queue/notifier.ts'
import { bullmqHarness, handlers, inTime, withRedis } from '../../support/queue/queue-harness.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'

const request: PermitRequest = {
  id: '1',
  provider: 'samsara',
  account: 'a',
  live: true,
  counters: [
    { key: 'a:trips', requests: 5, background: 5, windowMs: 1000 },
    { key: 'a', requests: 5, background: 5, windowMs: 1000 },
  ],
}

/** Uses every kind of key: jobs, schedules, notifications, and rate limits of providers and of callers. */
async function useRedis(redisUrl: string, prefix: string): Promise<void> {
  const done = vi.fn<() => Promise<void>>(async () => undefined)
  await using harness = bullmqHarness({ redisUrl, prefix })
  await harness.queue.work(handlers({ reconcile: done }))
  await harness.queue.schedule('reconcile', 'all', {}, 60_000)
  await harness.queue.add('reconcile', {})
  await vi.waitFor(() => expect(done).toHaveBeenCalled(), inTime)
  for (const { run } of harness.queue.checks) await run()
  expect(harness.failures).toEqual([])

  const [one, other] = [0, 1].map(() => createRedisNotifier({ redisUrl, prefix }))
  const notified = vi.fn<() => void>()
  other!.subscribe('topic', notified)
  await vi.waitFor(() => {
    one!.notify('topic')
    expect(notified.mock.calls.length).toBeGreaterThan(1)
  }, inTime)
  await Promise.all([one!.close(), other!.close()])

  const store = new RedisStore({ redisUrl, prefix, onDisconnect: () => undefined })
  try {
    await vi.waitFor(() => expect(store.connected).toBe(true), inTime)
    expect(await store.take(request)).toBeNull()
    store.settle(request)
    await store.pause('samsara', 'a', 60_000)
    expect(await store.take({ ...request, id: '2' })).toMatchObject({ paused: true })
    await vi.waitFor(() => expect(store.processes).toBe(1), inTime)
  } finally {
    await store.close()
  }

  const buckets = new SharedBuckets({ redisUrl, prefix, log: createLog('silent') })
  try {
    await vi.waitFor(() => expect(buckets.isAvailable).toBe(true), inTime)
    const points = { needed: 1, wanted: 1, msUntilFull: 0 }
    const taken = await buckets.take(
      (['application', 'key', 'connection'] as const).map((kind) => ({
        bucket: { kind, id: `${kind}-1`, applicationId: 'app_1', pointsPerMinute: 1000 },
        ...points,
      })),
    )
    expect(taken.isAccepted).toBe(true)
    await vi.waitFor(() => expect(buckets.gateways).toBe(1), inTime)
  } finally {
    await buckets.close()
  }
}

describe.skipIf(!withRedis)('a user who may use the keys and channels of QUEUE_PREFIX only', () => {
  let redis: TemporaryRedis
  let admin: Redis
  beforeAll(async () => {
    redis = await TemporaryRedis.start()
    admin = new Redis(redis.url)
    await admin.call('ACL', 'SETUSER', 'fleet', 'on', '>open', '~fleet:*', '&fleet:*', '+@all')
  })
  afterAll(async () => {
    admin.disconnect()
    await redis[Symbol.asyncDispose]()
  })
  const urlOfUser = () => redis.url.replace('redis://', 'redis://fleet:open@')

  test('is enough, and no key is outside the prefix', async () => {
    await useRedis(urlOfUser(), 'fleet')
    const keys = await admin.keys('*')
    expect(keys.length).toBeGreaterThan(3)
    expect(keys.filter((key) => !key.startsWith('fleet:'))).toEqual([])
  })

  test('gets the reason if the prefix is another one', async () => {
    await using harness = bullmqHarness({ redisUrl: urlOfUser(), prefix: 'trucks' })
    await expect(harness.queue.add('reconcile', {})).rejects.toThrow(/^Redis refuses a command \(NOPERM /)
  })
})

describe.skipIf(!withRedis)('a node of a Redis Cluster', () => {
  let redis: TemporaryRedis
  beforeAll(async () => {
    redis = await TemporaryRedis.start('--cluster-enabled', 'yes')
    const admin = new Redis(redis.url, { enableReadyCheck: false })
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await vi.waitFor(async () => {
      const info = String(await admin.call('CLUSTER', 'INFO'))
      if (!info.includes('cluster_state:ok')) throw new Error(info)
    }, inTime)
    admin.disconnect()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  test('works with a prefix in braces', () => useRedis(redis.url, '{fleet}'))
})

test('the doctor requires braces on a cluster only', () => {
  const states = (mode: string, prefix: string) =>
    clusterFindings(new Map([['redis_mode', mode]]), prefix).map(({ state, advice }) => [state, advice])
  expect(states('standalone', 'odograph')).toEqual([])
  expect(states('cluster', '{odograph}')).toEqual([['ok', undefined]])
  expect(states('cluster', 'odograph')).toEqual([
    ['fail', 'set QUEUE_PREFIX to {odograph}, and REDIS_URL to the node that has its slot'],
  ])
})

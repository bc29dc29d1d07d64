import { describe, expect, test } from 'vitest'
import type { RateLimit } from '../../../../src/providers/rate-limit/rate-limit.ts'
import { FallbackStore } from '../../../../src/providers/rate-limit/fallback-store.ts'
import { TemporaryRedis } from '../../../support/queue/temporary-redis.ts'
import { randomPrefix, withRedis } from '../../../support/queue/queue-harness.ts'
import { RateLimitHarness, silent, someKey, until } from '../../../support/providers/rate-limit-harness.ts'

const budgets: RateLimit[] = [{ per: 'account', requests: 20, perSeconds: 1 }]

const startTwo = async (redis: TemporaryRedis) => {
  const prefix = randomPrefix()
  const ledgers = [0, 1].map(() => new FallbackStore({ redisUrl: redis.url, prefix, log: silent }))
  await until(() => ledgers.every(({ processes }) => processes === 2))
  return RateLimitHarness.start(ledgers, { latencyMs: 10 })
}

/** Starts two processes that request permits without pause until they are stopped. */
function hungry(harness: RateLimitHarness) {
  const failures: unknown[] = []
  let [answered, stopped] = [0, false]
  const run = async (at: number) => {
    const api = harness.api(at % 2, { budgets, key: 'sandbox-3-1' })
    while (!stopped)
      await api.get('/account').then(
        () => answered++,
        (error: unknown) => failures.push(error),
      )
  }
  const runs = Promise.all(Array.from({ length: 40 }, (_, at) => run(at)))
  return {
    failures,
    /** Waits for this many more results. */
    async further(count: number) {
      const before = answered
      await until(() => answered >= before + count)
    },
    async stop() {
      stopped = true
      await runs
    },
  }
}

/** Returns the maximum of one process in a window, measured with an unused account. */
async function mostOfOne(harness: RateLimitHarness): Promise<number> {
  const key = someKey()
  const api = harness.api(0, { budgets, key, priority: 'live' })
  await Promise.all(Array.from({ length: 20 }, () => api.get('/account')))
  return Number((await harness.counted()).accounts[key])
}

describe.skipIf(!withRedis).concurrent('budgets while Redis is out of reach', () => {
  test('are divided between the processes, and whole again after it', async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = await startTwo(redis)
    expect(await mostOfOne(harness)).toBe(20)
    const load = hungry(harness)
    await load.further(30)
    await redis.kill()
    await load.further(20)
    expect(await mostOfOne(harness)).toBeLessThanOrEqual(10)
    await redis.start()
    await load.further(30)
    await until(async () => (await mostOfOne(harness)) === 20)
    await load.stop()
    const { accounts } = await harness.counted()
    expect(load.failures).toEqual([])
    expect(accounts['sandbox-3-1']).toBeGreaterThan(10)
    expect(accounts['sandbox-3-1']).toBeLessThanOrEqual(20)
  })

  test('continue while it accepts connections and does not respond', async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = await startTwo(redis)
    const load = hungry(harness)
    await load.further(20)
    redis.freeze()
    await load.further(30)
    redis.thaw()
    await until(async () => (await mostOfOne(harness)) === 20)
    await load.stop()
    expect(load.failures).toEqual([])
    expect((await harness.counted()).accounts['sandbox-3-1']).toBeLessThanOrEqual(20)
  })
})

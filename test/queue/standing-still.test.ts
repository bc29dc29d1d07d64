import { Redis } from 'ioredis'
import { describe, expect, test, vi } from 'vitest'
import type { Queue } from '../../src/queue/queue.ts'
import { OwnRedis } from './own-redis.ts'
import { bullmqRig, handlers, inProcessRig, withRedis } from './rig.ts'

const inTime = { timeout: 40_000, interval: 20 }

/** What of the queue's inside these tests strike. */
interface Inside {
  readonly lanes: { readonly reconcile: { readonly worker: { pause(now: boolean): Promise<void> } } }
}

const failing = async (queue: Queue): Promise<string[]> => {
  const outcomes = await Promise.allSettled(queue.checks.map(({ run }) => run()))
  return queue.checks.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ name }) => name)
}

describe.skipIf(!withRedis)('a queue on Redis', () => {
  test('makes a consumer anew that takes nothing while jobs wait, and says so', async () => {
    await using rig = bullmqRig({ standstillMs: 4000 })
    const ran: number[] = []
    await rig.queue.work(handlers({ reconcile: async () => void ran.push(1) }))
    await rig.queue.add('reconcile', {})
    await vi.waitFor(() => expect(ran).toHaveLength(1), inTime)
    const { worker } = (rig.queue as unknown as Inside).lanes.reconcile
    await worker.pause(true)
    // The read that it was in may still take one.
    for (let jobs = 0; jobs < 3; jobs++) await rig.queue.add('reconcile', {})
    await vi.waitFor(async () => expect(await failing(rig.queue)).toEqual(['jobs reconcile']), inTime)
    await vi.waitFor(() => expect(ran).toHaveLength(4), inTime)
    expect(rig.failures).toMatchObject([{ name: 'reconcile', jobId: undefined, final: false }])
    expect(rig.failures[0]?.message).toContain('the consumer is made anew')
    await vi.waitFor(async () => expect(await failing(rig.queue)).toEqual([]), inTime)
  })

  test('leaves a consumer alone whose one job takes its time', async () => {
    await using rig = bullmqRig({ standstillMs: 300 })
    await rig.queue.work(handlers({ reconcile: () => new Promise((resolve) => setTimeout(resolve, 1200)) }))
    await rig.queue.add('reconcile', {})
    await rig.queue.add('reconcile', {})
    await rig.queue.idle()
    expect(rig.failures).toEqual([])
  })

  test('is not ready on a Redis that may throw jobs away', async () => {
    await using redis = await OwnRedis.start()
    await using rig = bullmqRig({ redisUrl: redis.url })
    expect(await failing(rig.queue)).toEqual([])
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await failing(rig.queue)).toEqual(['redis maxmemory-policy'])
    const policy = rig.queue.checks.find(({ name }) => name === 'redis maxmemory-policy')
    await expect(policy?.run()).rejects.toThrow('allkeys-lru: set it to noeviction')
    admin.disconnect()
  })
})

test('a queue in process needs nothing to be ready', async () => {
  await using rig = inProcessRig()
  expect(await failing(rig.queue)).toEqual([])
})

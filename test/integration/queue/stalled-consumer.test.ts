import { Redis } from 'ioredis'
import { describe, expect, test, vi } from 'vitest'
import type { Queue } from '../../../src/queue/queue.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import {
  bullmqHarness,
  handlers,
  inProcessHarness,
  withRedis,
  inTime,
} from '../../support/queue/queue-harness.ts'

/** Private members of the queue that the tests break. */
interface QueueInternals {
  readonly workers: { readonly reconcile: { readonly worker: { pause(now: boolean): Promise<void> } } }
}

const failedChecks = async (queue: Queue): Promise<string[]> => {
  const outcomes = await Promise.allSettled(queue.checks.map(({ run }) => run()))
  return queue.checks.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ name }) => name)
}

describe.skipIf(!withRedis)('a queue on Redis', () => {
  test('restarts a consumer that takes no waiting jobs, and reports it', async () => {
    await using harness = bullmqHarness({ stallTimeoutMs: 4000 })
    const ran: number[] = []
    await harness.queue.work(handlers({ reconcile: async () => void ran.push(1) }))
    await harness.queue.add('reconcile', {})
    await vi.waitFor(() => expect(ran).toHaveLength(1), inTime)
    const { worker } = (harness.queue as unknown as QueueInternals).workers.reconcile
    await worker.pause(true)
    // The pending read may still take one job.
    for (let jobs = 0; jobs < 3; jobs++) await harness.queue.add('reconcile', {})
    await vi.waitFor(
      async () => expect(await failedChecks(harness.queue)).toEqual(['jobs reconcile']),
      inTime,
    )
    await vi.waitFor(() => expect(ran).toHaveLength(4), inTime)
    expect(harness.failures).toMatchObject([{ name: 'reconcile', jobId: undefined, final: false }])
    expect(harness.failures[0]?.message).toContain('so it is restarted')
    await vi.waitFor(async () => expect(await failedChecks(harness.queue)).toEqual([]), inTime)
  })

  test('does not restart a consumer with a long job', async () => {
    await using harness = bullmqHarness({ stallTimeoutMs: 300 })
    await harness.queue.work(
      handlers({ reconcile: () => new Promise((resolve) => setTimeout(resolve, 1200)) }),
    )
    await harness.queue.add('reconcile', {})
    await harness.queue.add('reconcile', {})
    await harness.queue.idle()
    expect(harness.failures).toEqual([])
  })

  test('is not ready on a Redis that may evict jobs', async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = bullmqHarness({ redisUrl: redis.url })
    expect(await failedChecks(harness.queue)).toEqual([])
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await failedChecks(harness.queue)).toEqual(['redis maxmemory-policy'])
    const policy = harness.queue.checks.find(({ name }) => name === 'redis maxmemory-policy')
    await expect(policy?.run()).rejects.toThrow('allkeys-lru: set it to noeviction')
    admin.disconnect()
  })
})

describe.skipIf(!withRedis)('a Redis whose memory is full', () => {
  test('is not ready until it has room, although it answers reads', async () => {
    await using redis = await TemporaryRedis.start()
    await using harness = bullmqHarness({ redisUrl: redis.url })
    const admin = new Redis(redis.url)
    expect(await failedChecks(harness.queue)).toEqual([])
    await admin.config('SET', 'maxmemory', '1')
    expect(await admin.ping()).toBe('PONG')
    const check = harness.queue.checks.find(({ name }) => name === 'redis')
    await expect(check?.run()).rejects.toThrow(/^Redis refuses writes \(OOM .*free memory/)
    await admin.config('SET', 'maxmemory', '0')
    expect(await failedChecks(harness.queue)).toEqual([])
    admin.disconnect()
  })
})

test('a queue in process is always ready', async () => {
  await using harness = inProcessHarness()
  expect(await failedChecks(harness.queue)).toEqual([])
})

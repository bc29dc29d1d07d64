import { describe, expect, test, vi } from 'vitest'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { jobPolicies, perJob } from '../../../src/queue/jobs.ts'
import { openCliHarness } from '../../support/harnesses/cli-harness.ts'

interface Failed {
  readonly id: string
  readonly job: string
  readonly error: string
  readonly payload: unknown
}

const once = { attempts: 1, backoffMs: 1 }

describe.skipIf(!process.env['REDIS_URL'])('the jobs on Redis', () => {
  test('are counted, and failed jobs are listed, retried and cleared', async () => {
    await using harness = await openCliHarness('mariadb')
    const { REDIS_URL: redisUrl = '', QUEUE_PREFIX: prefix = '' } = harness.home.environment
    const queue = bullmqQueue({
      redisUrl,
      prefix,
      onError: () => undefined,
      policies: {
        ...jobPolicies,
        reconcile: { ...jobPolicies.reconcile, ...once },
        'sync-connection': { ...jobPolicies['sync-connection'], ...once },
      },
    })
    let broken = true
    const ran: string[] = []
    await queue.work({
      ...perJob(() => async () => undefined),
      'sync-connection': async ({ syncId }) => {
        ran.push(syncId)
        if (broken) throw new Error(`no table; sk_prod_${'a'.repeat(32)}`)
      },
    })
    const failed = (...args: string[]) => harness.json<Failed[]>('jobs', 'failed', ...args)
    try {
      for (const syncId of ['one', 'two']) await queue.add('sync-connection', { connectionId: 'c', syncId })
      await vi.waitUntil(async () => (await failed()).length === 2, { timeout: 60_000 })
      const counts = await harness.json<{ job: string; failed: number }[]>('jobs', 'list')
      expect(counts.map(({ job, failed: count }) => [job, count])).toContainEqual(['sync-connection', 2])

      const [two] = await failed('--job', 'sync-connection', '--limit', '1')
      expect(two).toMatchObject({ job: 'sync-connection', payload: { connectionId: 'c' } })
      expect(two?.error).toContain('no table')
      expect(two?.error).not.toContain('aaaa')
      expect(await failed('--job', 'reconcile')).toEqual([])

      broken = false
      expect(await harness.json('jobs', 'retry', two!.id)).toEqual({ retried: 1 })
      await vi.waitUntil(() => ran.length === 3, { timeout: 60_000 })
      expect((await harness.cli('jobs', 'retry', two!.id)).error).toContain('there is no failed job')
      expect(await harness.json('jobs', 'clear', '--all')).toEqual({ cleared: 1 })
      expect(await failed()).toEqual([])
    } finally {
      await queue.close()
    }
  })

  test('fail with an error if Redis is unreachable', async () => {
    await using harness = await openCliHarness('mariadb', { REDIS_URL: 'redis://127.0.0.1:1' })
    const { code, error } = await harness.cli('jobs', 'list')
    expect([code, error]).toEqual([1, 'odograph: Redis cannot be reached\n'])
  })
})

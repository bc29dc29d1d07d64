import { describe, expect, test, vi } from 'vitest'
import type { Jobs } from '../../../src/queue/jobs.ts'
import { everyKey } from '../../support/database/database-dump.ts'
import {
  bullmqHarness,
  gate,
  handlers,
  inProcessHarness,
  randomPrefix,
  redisUrl,
  withRedis,
  inTime,
} from '../../support/queue/queue-harness.ts'

const REMOVED = 'conn_gone'
const sync = (connectionId: string, state: string): Jobs['sync-connection'] => ({
  connectionId,
  syncId: `sync_${connectionId}_${state}`,
})

describe.each([
  ['in process', inProcessHarness] as const,
  ...(withRedis ? ([['on Redis', bullmqHarness]] as const) : []),
])('a queue %s', (name, startHarness) => {
  test('removes the jobs of a connection in any state, and no others', async () => {
    const prefix = randomPrefix()
    await using harness = startHarness({ prefix })
    const { queue, failures } = harness
    const { opened, open } = gate()
    const ran: string[] = []
    await queue.work(
      handlers({
        'sync-connection': async ({ syncId }) => {
          if (syncId.endsWith('fails')) throw Object.assign(new Error(syncId), { unrecoverable: true })
          if (syncId.endsWith('later')) throw Object.assign(new Error(syncId), { retryAfterMs: 60_000 })
          if (syncId.endsWith('holds')) await opened
          ran.push(syncId)
        },
      }),
    )
    const add = (job: Jobs['sync-connection'], priority?: 'asked') =>
      queue.add('sync-connection', job, { key: job.syncId, ...(priority ? { priority } : {}) })
    for (const connectionId of [REMOVED, 'conn_other'])
      for (const state of ['ends', 'fails', 'later']) await add(sync(connectionId, state))
    await vi.waitFor(() => expect([ran.length, failures.length]).toEqual([2, 4]), inTime)
    await queue.idle()
    for (const one of ['conn_1', 'conn_2']) await add(sync(one, 'holds'))
    for (const connectionId of [REMOVED, 'conn_other']) {
      for (let twice = 0; twice < 2; twice++) await add(sync(connectionId, 'waits'))
      await add(sync(connectionId, 'urgent'), 'asked')
      await queue.add('sync-connection', sync(connectionId, 'delayed'), { delayMs: 60_000 })
    }

    expect(await queue.remove(REMOVED)).toBe(true)
    expect((await queue.counts())['sync-connection']).toMatchObject({ waiting: 2, delayed: 2 })
    if (name === 'on Redis') {
      const kept = (await everyKey(redisUrl, prefix)).join('\n')
      expect(kept).not.toContain(REMOVED)
      for (const state of ['ends', 'fails', 'later', 'waits', 'urgent', 'delayed'])
        expect(kept).toContain(sync('conn_other', state).syncId)
    }
    open()
    await queue.idle()
    expect(ran.filter((id) => id.includes(REMOVED))).toEqual([sync(REMOVED, 'ends').syncId])
    expect(ran).toHaveLength(6)

    await add(sync(REMOVED, 'waits'))
    await queue.idle()
    expect(ran.at(-1)).toBe(sync(REMOVED, 'waits').syncId)
  })

  test('returns false while a job of the connection runs, and removes it after its end', async () => {
    await using harness = startHarness()
    const { opened, open } = gate()
    const started = gate()
    await harness.queue.work(
      handlers({
        'sync-connection': async () => {
          started.open()
          await opened
        },
      }),
    )
    await harness.queue.add('sync-connection', sync(REMOVED, 'runs'), { key: 'runs' })
    await started.opened
    expect(await harness.queue.remove('conn_other')).toBe(true)
    expect(await harness.queue.remove(REMOVED)).toBe(false)
    open()
    await harness.queue.idle()
    await vi.waitFor(async () => expect(await harness.queue.remove(REMOVED)).toBe(true), inTime)
  })
})

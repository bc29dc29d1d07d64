import { describe, expect, test, vi } from 'vitest'
import type { Jobs } from '../../../src/queue/jobs.ts'
import { everyKey } from '../../support/database-dump.ts'
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

const GONE = 'conn_gone'
const sync = (connectionId: string, what: string): Jobs['sync-connection'] => ({
  connectionId,
  syncId: `sync_${connectionId}_${what}`,
})

describe.each([
  ['in process', inProcessHarness] as const,
  ...(withRedis ? ([['on Redis', bullmqHarness]] as const) : []),
])('a queue %s', (name, startRig) => {
  test('forgets the jobs of a connection, whatever became of them, and no others', async () => {
    const prefix = randomPrefix()
    await using harness = startRig({ prefix })
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
    for (const connectionId of [GONE, 'conn_other'])
      for (const what of ['ends', 'fails', 'later']) await add(sync(connectionId, what))
    await vi.waitFor(() => expect([ran.length, failures.length]).toEqual([2, 4]), inTime)
    await queue.idle()
    for (const one of ['conn_1', 'conn_2']) await add(sync(one, 'holds'))
    for (const connectionId of [GONE, 'conn_other']) {
      for (let twice = 0; twice < 2; twice++) await add(sync(connectionId, 'waits'))
      await add(sync(connectionId, 'urgent'), 'asked')
      await queue.add('sync-connection', sync(connectionId, 'delayed'), { delayMs: 60_000 })
    }

    expect(await queue.remove(GONE)).toBe(true)
    expect((await queue.counts())['sync-connection']).toMatchObject({ waiting: 2, delayed: 2 })
    if (name === 'on Redis') {
      const kept = (await everyKey(redisUrl, prefix)).join('\n')
      expect(kept).not.toContain(GONE)
      for (const what of ['ends', 'fails', 'later', 'waits', 'urgent', 'delayed'])
        expect(kept).toContain(sync('conn_other', what).syncId)
    }
    open()
    await queue.idle()
    expect(ran.filter((id) => id.includes(GONE))).toEqual([sync(GONE, 'ends').syncId])
    expect(ran).toHaveLength(6)

    await add(sync(GONE, 'waits'))
    await queue.idle()
    expect(ran.at(-1)).toBe(sync(GONE, 'waits').syncId)
  })

  test('says that a job of the connection runs, and forgets it once it has ended', async () => {
    await using harness = startRig()
    const { opened, open } = gate()
    const began = gate()
    await harness.queue.work(
      handlers({
        'sync-connection': async () => {
          began.open()
          await opened
        },
      }),
    )
    await harness.queue.add('sync-connection', sync(GONE, 'runs'), { key: 'runs' })
    await began.opened
    expect(await harness.queue.remove('conn_other')).toBe(true)
    expect(await harness.queue.remove(GONE)).toBe(false)
    open()
    await harness.queue.idle()
    await vi.waitFor(async () => expect(await harness.queue.remove(GONE)).toBe(true), inTime)
  })
})

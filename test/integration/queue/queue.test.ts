import { describe, expect, test, vi } from 'vitest'
import type { JobRun } from '../../../src/queue/queue.ts'
import {
  bullmqHarness,
  gate,
  handlers,
  inProcessHarness,
  withRedis,
  inTime,
} from '../../support/queue/queue-harness.ts'

const sync = { connectionId: 'conn_1', syncId: 'sync_1' }
const poll = { connectionId: 'conn_1', model: 'LatestVehicleLocation' } as const

describe.each([
  ['in process', inProcessHarness] as const,
  ...(withRedis ? ([['on Redis', bullmqHarness]] as const) : []),
])('a queue %s', (_name, startHarness) => {
  test('runs a job with its payload, its attempt and a signal', async () => {
    await using harness = startHarness()
    const seen: [unknown, JobRun][] = []
    await harness.queue.work(
      handlers({ 'sync-connection': async (payload, run) => void seen.push([payload, run]) }),
    )
    await harness.queue.add('sync-connection', sync)
    await harness.queue.idle()

    expect(seen).toHaveLength(1)
    expect(seen[0]?.[0]).toEqual(sync)
    expect(seen[0]?.[1]).toMatchObject({
      id: expect.any(String),
      attempt: 1,
      signal: expect.any(AbortSignal),
    })
  })

  test('keeps jobs that were added before it works', async () => {
    await using harness = startHarness()
    const handler = vi.fn<() => Promise<void>>(async () => {})
    await harness.queue.add('reconcile', {})
    await harness.queue.work(handlers({ reconcile: handler }))
    await harness.queue.idle()

    expect(handler).toHaveBeenCalledOnce()
  })

  test('retries with growing delays, then fails, and reports each failure', async () => {
    await using harness = startHarness()
    const startedAt: number[] = []
    await harness.queue.work(
      handlers({
        'sync-connection': async (_payload, run) => {
          startedAt.push(Date.now())
          throw new Error(`attempt ${run.attempt}`)
        },
      }),
    )
    await harness.queue.add('sync-connection', sync)
    await vi.waitFor(() => expect(harness.failures).toHaveLength(3), inTime)

    expect(harness.failures.map(({ message, final }) => [message, final])).toEqual([
      ['attempt 1', false],
      ['attempt 2', false],
      ['attempt 3', true],
    ])
    expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(79)
    expect(startedAt[2]! - startedAt[1]!).toBeGreaterThanOrEqual(159)
    await harness.queue.idle()
    expect(startedAt).toHaveLength(3)
  })

  test('waits for the retryAfterMs of the error', async () => {
    await using harness = startHarness()
    const startedAt: number[] = []
    await harness.queue.work(
      handlers({
        'sync-connection': async (_payload, { attempt }) => {
          startedAt.push(Date.now())
          if (attempt === 1) throw Object.assign(new Error('limited'), { retryAfterMs: 500 })
        },
      }),
    )
    await harness.queue.add('sync-connection', sync)
    await vi.waitFor(() => expect(startedAt).toHaveLength(2), inTime)

    expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(495)
  })

  test('does not retry an unrecoverable error', async () => {
    await using harness = startHarness()
    const handler = vi.fn<() => Promise<void>>(async () => {
      throw Object.assign(new Error('revoked'), { unrecoverable: true })
    })
    await harness.queue.work(handlers({ 'sync-connection': handler }))
    await harness.queue.add('sync-connection', sync)
    await vi.waitFor(() => expect(harness.failures).toHaveLength(1), inTime)
    await harness.queue.idle()

    expect(harness.failures[0]).toMatchObject({ name: 'sync-connection', message: 'revoked', final: true })
    expect(handler).toHaveBeenCalledOnce()
  })

  test('reports a thrown value that is not an error', async () => {
    await using harness = startHarness()
    await harness.queue.work(handlers({ 'poll-latest': () => Promise.reject('a string') }))
    await harness.queue.add('poll-latest', poll)
    await vi.waitFor(() => expect(harness.failures).toHaveLength(1), inTime)

    expect(harness.failures[0]).toMatchObject({ message: 'a string', final: true })
  })

  test('aborts an attempt at its timeout', async () => {
    await using harness = startHarness()
    await harness.queue.work(handlers({ 'poll-latest': (_payload, { signal }) => untilAborted(signal) }))
    await harness.queue.add('poll-latest', poll)
    await vi.waitFor(() => expect(harness.failures).toHaveLength(1), inTime)

    expect(harness.failures[0]).toMatchObject({ message: 'The job did not end within 200 ms', final: true })
  })

  test('delays a job, and idle does not wait for it', async () => {
    await using harness = startHarness()
    let ranAt = 0
    await harness.queue.work(handlers({ reconcile: async () => void (ranAt = Date.now()) }))
    const addedAt = Date.now()
    await harness.queue.add('reconcile', {}, { delayMs: 400 })
    await harness.queue.idle()

    expect(ranAt).toBe(0)
    await vi.waitFor(() => expect(ranAt).not.toBe(0), inTime)
    expect(ranAt - addedAt).toBeGreaterThanOrEqual(395)
  })

  test('absorbs a job whose key is waiting, delayed or running', async () => {
    await using harness = startHarness()
    const { opened, open } = gate()
    const seen: string[] = []
    const heldKeys = () => Promise.all(['a', 'b'].map((key) => harness.queue.hasJob('sync-connection', key)))
    expect(await heldKeys()).toEqual([false, false])
    await harness.queue.add('sync-connection', { ...sync, syncId: 'waiting' }, { key: 'a' })
    await harness.queue.add('sync-connection', { ...sync, syncId: 'absorbed' }, { key: 'a' })
    await harness.queue.add('sync-connection', { ...sync, syncId: 'delayed' }, { key: 'b', delayMs: 200 })
    await harness.queue.add('sync-connection', { ...sync, syncId: 'absorbed' }, { key: 'b' })
    const start = async ({ syncId }: typeof sync) => {
      seen.push(syncId)
      await opened
    }
    await harness.queue.work(handlers({ 'sync-connection': start }))
    expect(await heldKeys()).toEqual([true, true])
    await vi.waitFor(() => expect(seen).toEqual(['waiting', 'delayed']), inTime)
    expect(await heldKeys()).toEqual([true, true])
    await harness.queue.add('sync-connection', { ...sync, syncId: 'absorbed' }, { key: 'a' })
    open()
    await harness.queue.idle()
    expect(await heldKeys()).toEqual([false, false])

    expect(seen).toEqual(['waiting', 'delayed'])
  })

  test('absorbs a job whose key waits for its next attempt', async () => {
    await using harness = startHarness()
    const handler = vi.fn<() => Promise<void>>(async () => {
      throw new Error('no')
    })
    await harness.queue.work(handlers({ reconcile: handler }))
    await harness.queue.add('reconcile', {}, { key: 'a' })
    await vi.waitFor(() => expect(harness.failures).toHaveLength(1), inTime)
    await harness.queue.add('reconcile', {}, { key: 'a' })
    await harness.queue.idle()

    expect(handler).toHaveBeenCalledOnce()
  })

  test('has separate keys for each job name', async () => {
    await using harness = startHarness()
    const seen: string[] = []
    await harness.queue.add('poll-latest', poll, { key: 'a' })
    await harness.queue.add('reconcile', {}, { key: 'a' })
    await harness.queue.work(
      handlers({
        'poll-latest': async () => void seen.push('poll'),
        reconcile: async () => void seen.push('reconcile'),
      }),
    )
    await harness.queue.idle()

    expect(seen.toSorted()).toEqual(['poll', 'reconcile'])
  })

  test('accepts a key again after its job completes', async () => {
    await using harness = startHarness()
    const handler = vi.fn<() => Promise<void>>(async () => {})
    await harness.queue.work(handlers({ reconcile: handler }))
    for (const runs of [1, 2, 3]) {
      await harness.queue.add('reconcile', {}, { key: 'a' })
      await harness.queue.idle()
      expect(handler).toHaveBeenCalledTimes(runs)
    }
  })

  test('accepts a key again after its job finally fails', async () => {
    await using harness = startHarness()
    await harness.queue.work(handlers({ 'poll-latest': () => Promise.reject(new Error('no')) }))
    for (const failures of [1, 2, 3]) {
      await harness.queue.add('poll-latest', poll, { key: 'a' })
      await vi.waitFor(() => expect(harness.failures).toHaveLength(failures), inTime)
    }
    expect(harness.failures.every(({ final }) => final)).toBe(true)
  })

  test('runs a schedule after each interval until it is removed', async () => {
    await using harness = startHarness()
    const startedAt: number[] = []
    const reconciled = vi.fn<() => Promise<void>>(async () => {})
    await harness.queue.work(
      handlers({ 'poll-latest': async () => void startedAt.push(Date.now()), reconcile: reconciled }),
    )
    const declaredAt = Date.now()
    await harness.queue.schedule('poll-latest', 'conn_1', poll, 200)
    await vi.waitFor(() => expect(startedAt.length).toBeGreaterThanOrEqual(3), inTime)
    expect(startedAt[0]! - declaredAt).toBeGreaterThanOrEqual(195)
    expect(startedAt[2]! - declaredAt).toBeGreaterThanOrEqual(590)

    await harness.queue.unschedule('poll-latest', 'conn_1')
    await harness.queue.idle()
    const runs = startedAt.length
    await harness.queue.add('reconcile', {}, { delayMs: 600 })
    await vi.waitFor(() => expect(reconciled).toHaveBeenCalled(), inTime)
    expect(startedAt).toHaveLength(runs)
  })

  test('replaces a schedule, and keeps the timing of an unchanged interval', async () => {
    await using harness = startHarness()
    const seen: string[] = []
    await harness.queue.work(
      handlers({ 'poll-latest': async ({ connectionId }) => void seen.push(connectionId) }),
    )
    await harness.queue.schedule('poll-latest', 'a', { ...poll, connectionId: 'old' }, 60_000)
    await harness.queue.schedule('poll-latest', 'a', { ...poll, connectionId: 'new' }, 300)
    await vi.waitFor(async () => {
      await harness.queue.schedule('poll-latest', 'a', { ...poll, connectionId: 'newer' }, 300)
      expect(seen.length).toBeGreaterThanOrEqual(2)
    }, inTime)

    expect(new Set(seen)).toEqual(new Set(['newer']))
  })

  test('never runs one scheduled key twice at once', async () => {
    await using harness = startHarness()
    const running = new Set<string>()
    let maximum = 0
    let runs = 0
    await harness.queue.work(
      handlers({
        'sync-connection': async (_payload, { id }) => {
          running.add(id)
          maximum = Math.max(maximum, running.size)
          await new Promise((resolve) => setTimeout(resolve, 350))
          running.delete(id)
          runs += 1
        },
      }),
    )
    await harness.queue.schedule('sync-connection', 'a', sync, 100)
    await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(3), inTime)

    expect(maximum).toBe(1)
  })

  test('runs as many jobs at once as the policy allows', async () => {
    await using harness = startHarness()
    const { opened, open } = gate()
    let running = 0
    let maximum = 0
    let runs = 0
    for (let i = 0; i < 6; i += 1) await harness.queue.add('sync-connection', sync)
    await harness.queue.work(
      handlers({
        'sync-connection': async () => {
          maximum = Math.max(maximum, (running += 1))
          await opened
          running -= 1
          runs += 1
        },
      }),
    )
    await vi.waitFor(() => expect(running).toBe(2), inTime)
    open()
    await harness.queue.idle()

    expect([maximum, runs]).toEqual([2, 6])
  })

  test('is idle only after jobs that other jobs added', async () => {
    await using harness = startHarness()
    let polled = 0
    await harness.queue.work(
      handlers({
        reconcile: async () => {
          for (let i = 0; i < 20; i += 1) await harness.queue.add('sync-connection', sync)
        },
        'sync-connection': () => harness.queue.add('poll-latest', poll),
        'poll-latest': async () => void (polled += 1),
      }),
    )
    await harness.queue.add('reconcile', {})
    await harness.queue.idle()

    expect(polled).toBe(20)
  })

  test('aborts running jobs on close, and waits for them', async () => {
    await using harness = startHarness()
    const events: string[] = []
    await harness.queue.work(
      handlers({
        reconcile: async (_payload, { signal }) => {
          events.push('started')
          await untilAborted(signal).catch(() => {})
          await new Promise((resolve) => setTimeout(resolve, 100))
          events.push('ended')
          throw signal.reason
        },
      }),
    )
    await harness.queue.add('reconcile', {})
    await vi.waitFor(() => expect(events).toEqual(['started']), inTime)
    await harness.queue.close()
    events.push('closed')

    expect(events).toEqual(['started', 'ended', 'closed'])
    expect(harness.failures).toEqual([])
  })

  test('stops waiting for a handler that ignores its signal', async () => {
    await using harness = startHarness({ closeTimeoutMs: 100 })
    const handler = vi.fn<() => Promise<void>>(() => new Promise<void>(() => {}))
    await harness.queue.work(handlers({ reconcile: handler }))
    await harness.queue.add('reconcile', {})
    await vi.waitFor(() => expect(handler).toHaveBeenCalled(), inTime)
    await harness.queue.close()
  })

  test('refuses jobs after close', async () => {
    await using harness = startHarness()
    await harness.queue.close()
    await harness.queue.close()

    await expect(harness.queue.add('reconcile', {})).rejects.toThrow('The queue is closed')
    await expect(harness.queue.schedule('reconcile', 'a', {}, 1_000)).rejects.toThrow('The queue is closed')
  })
})

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

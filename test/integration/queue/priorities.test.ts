import { describe, expect, test } from 'vitest'
import { JobYielded, priorityNumber } from '../../../src/queue/priority.ts'
import {
  bullmqHarness,
  fastPolicies,
  gate,
  handlers,
  inProcessHarness,
  withRedis,
} from '../../support/queue/queue-harness.ts'

const sync = (syncId: string) => ({ connectionId: 'conn_1', syncId })
const sequential = {
  policies: { ...fastPolicies, 'sync-connection': { ...fastPolicies['sync-connection'], concurrency: 1 } },
}

describe.each([
  ['in process', inProcessHarness] as const,
  ...(withRedis ? ([['on Redis', bullmqHarness]] as const) : []),
])('the priority of a queue %s', (_name, startHarness) => {
  test('starts requested jobs before due ones, and counts both as waiting', async () => {
    await using harness = startHarness(sequential)
    const seen: string[] = []
    await harness.queue.add('sync-connection', sync('due 1'), { priority: 'due' })
    await harness.queue.add('sync-connection', sync('due 2'), { priority: 'due' })
    await harness.queue.add('sync-connection', sync('asked 1'), { priority: 'asked' })
    await harness.queue.add('sync-connection', sync('asked 2'), { priority: 'asked' })
    expect(await harness.queue.waiting('sync-connection')).toBe(4)
    await harness.queue.work(handlers({ 'sync-connection': async ({ syncId }) => void seen.push(syncId) }))
    await harness.queue.idle()
    expect(seen).toEqual(['asked 1', 'asked 2', 'due 1', 'due 2'])
    expect(await harness.queue.waiting('sync-connection')).toBe(0)
  })

  test('resumes a yielded job after waiting ones, as the same attempt with the same key', async () => {
    await using harness = startHarness(sequential)
    const seen: string[] = []
    const { opened, open } = gate()
    let runs = 0
    await harness.queue.work(
      handlers({
        'sync-connection': async ({ syncId }, { attempt }) => {
          seen.push(`${syncId} ${attempt}`)
          if (syncId !== 'long') return
          await opened
          if (++runs < 3) throw new JobYielded('enough')
        },
      }),
    )
    await harness.queue.add('sync-connection', sync('long'), { key: 'long', priority: 'due' })
    await expect.poll(() => seen).toHaveLength(1)
    await harness.queue.add('sync-connection', sync('other'), { priority: 'due' })
    await harness.queue.add('sync-connection', sync('absorbed'), { key: 'long', priority: 'asked' })
    open()
    await harness.queue.idle()
    expect(seen).toEqual(['long 1', 'other 1', 'long 1', 'long 1'])
    expect(harness.failures).toEqual([])
    await harness.queue.add('sync-connection', sync('again'), { key: 'long' })
    await harness.queue.idle()
    expect(seen.at(-1)).toBe('again 1')
  })
})

test('a job that has waited long enough precedes a newly requested one', () => {
  const later = (seconds: number) => 1e12 + seconds * 1000
  expect(priorityNumber('asked', later(0))).toBeLessThan(priorityNumber('due', later(0)))
  expect(priorityNumber('due', later(0))).toBeLessThan(priorityNumber('continued', later(0)))
  expect(priorityNumber('continued', later(0))).toBeLessThan(priorityNumber('due', later(30)))
  expect(priorityNumber('continued', later(0))).toBeLessThan(priorityNumber('asked', later(30)))
  const largest = Math.max(
    ...Array.from({ length: 1000 }, (_, day) => priorityNumber('continued', later(day * 4321))),
  )
  expect(largest).toBeLessThanOrEqual(2 ** 21)
})

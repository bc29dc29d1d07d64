import { describe, expect, test } from 'vitest'
import { GaveWay, priorityOf } from '../../src/queue/urgency.ts'
import { bullmqRig, fastPolicies, gate, handlers, inProcessRig, withRedis } from './rig.ts'

const sync = (syncId: string) => ({ connectionId: 'conn_1', syncId })
const oneAtATime = {
  policies: { ...fastPolicies, 'sync-connection': { ...fastPolicies['sync-connection'], concurrency: 1 } },
}

describe.each([
  ['in process', inProcessRig] as const,
  ...(withRedis ? ([['on Redis', bullmqRig]] as const) : []),
])('urgency in a queue %s', (_name, startRig) => {
  test('starts what was asked for before what was merely due, and counts both as waiting', async () => {
    await using rig = startRig(oneAtATime)
    const seen: string[] = []
    await rig.queue.add('sync-connection', sync('due 1'), { urgency: 'due' })
    await rig.queue.add('sync-connection', sync('due 2'), { urgency: 'due' })
    await rig.queue.add('sync-connection', sync('asked 1'), { urgency: 'asked' })
    await rig.queue.add('sync-connection', sync('asked 2'), { urgency: 'asked' })
    expect(await rig.queue.waiting('sync-connection')).toBe(4)
    await rig.queue.work(handlers({ 'sync-connection': async ({ syncId }) => void seen.push(syncId) }))
    await rig.queue.idle()
    expect(seen).toEqual(['asked 1', 'asked 2', 'due 1', 'due 2'])
    expect(await rig.queue.waiting('sync-connection')).toBe(0)
  })

  test('lets a job that gives way go on after those that wait, as the same attempt and under its key', async () => {
    await using rig = startRig(oneAtATime)
    const seen: string[] = []
    const { opened, open } = gate()
    let turns = 0
    await rig.queue.work(
      handlers({
        'sync-connection': async ({ syncId }, { attempt }) => {
          seen.push(`${syncId} ${attempt}`)
          if (syncId !== 'long') return
          await opened
          if (++turns < 3) throw new GaveWay('enough')
        },
      }),
    )
    await rig.queue.add('sync-connection', sync('long'), { key: 'long', urgency: 'due' })
    await expect.poll(() => seen).toHaveLength(1)
    await rig.queue.add('sync-connection', sync('other'), { urgency: 'due' })
    await rig.queue.add('sync-connection', sync('absorbed'), { key: 'long', urgency: 'asked' })
    open()
    await rig.queue.idle()
    expect(seen).toEqual(['long 1', 'other 1', 'long 1', 'long 1'])
    expect(rig.failures).toEqual([])
    await rig.queue.add('sync-connection', sync('again'), { key: 'long' })
    await rig.queue.idle()
    expect(seen.at(-1)).toBe('again 1')
  })
})

test('nobody starves: who has waited long enough goes before what is asked for now', () => {
  const later = (seconds: number) => 1e12 + seconds * 1000
  expect(priorityOf('asked', later(0))).toBeLessThan(priorityOf('due', later(0)))
  expect(priorityOf('due', later(0))).toBeLessThan(priorityOf('continued', later(0)))
  expect(priorityOf('continued', later(0))).toBeLessThan(priorityOf('due', later(30)))
  expect(priorityOf('continued', later(0))).toBeLessThan(priorityOf('asked', later(30)))
  const most = Math.max(
    ...Array.from({ length: 1000 }, (_, day) => priorityOf('continued', later(day * 4321))),
  )
  expect(most).toBeLessThanOrEqual(2 ** 21)
})

import { describe, expect, test } from 'vitest'
import type { JobName } from '../../src/queue/jobs.ts'
import { beatAfter, nextTurn } from '../../src/sync/schedule/beat.ts'
import { findDue } from '../../src/sync/schedule/find-due.ts'
import { reconcile } from '../../src/sync/schedule/reconcile.ts'
import { stores } from '../stores.ts'
import { SyncRig } from './rig.ts'

const MINUTE = 60_000
const cadence = { pollMs: 5000, syncMs: 10 * MINUTE }

describe('the beat of a connection', () => {
  const ids = Array.from({ length: 500 }, (_, index) => `conn_${index}`)

  test('comes once in an interval, at a moment of its own', () => {
    const beats = ids.map((id) => beatAfter(id, 1e12, 10_000) - 1e12)
    expect(Math.min(...beats)).toBeGreaterThan(0)
    expect(Math.max(...beats)).toBeLessThanOrEqual(10_000)
    for (const tenth of Array.from({ length: 10 }, (_, index) => index * 1000))
      expect(beats.filter((beat) => beat > tenth && beat <= tenth + 1000).length).toBeGreaterThan(20)
    for (const id of ids)
      expect(beatAfter(id, beatAfter(id, 1e12, 10_000), 10_000)).toBe(beatAfter(id, 1e12, 10_000) + 10_000)
  })

  test('is reached in turns that are never longer than an interval, and never shorter than half of one', () => {
    for (const id of ids) {
      let now = 1e12
      for (let turn = 0; turn < 4; turn++) {
        const next = nextTurn(id, now, 10_000)
        expect(next - now).toBeGreaterThanOrEqual(5000)
        expect(next - now).toBeLessThanOrEqual(10_000)
        now = next
      }
      expect(now).toBe(beatAfter(id, now - 1, 10_000))
    }
  })
})

describe.each(stores)('what is due on %s', (store) => {
  const syncs = (rig: SyncRig) => rig.count('`syncs`')
  const complete = (rig: SyncRig) =>
    rig.db.transaction((tx) => tx.run("UPDATE `syncs` SET `status` = 'completed', `completedAt` = 1"))

  test('is a sync at once, and then once in every interval, however many look', async () => {
    await using rig = await SyncRig.start(store)
    await reconcile(rig.tools, cadence)
    for (let interval = 1; interval <= 4; interval++) {
      expect(await syncs(rig)).toBe(interval)
      await complete(rig)
      await Promise.all([findDue(rig.tools, cadence), findDue(rig.tools, cadence)])
      expect(await syncs(rig)).toBe(interval)
      rig.moveClock((await nextSyncAt(rig)) - rig.tools.clock.now())
      await Promise.all([
        findDue(rig.tools, cadence),
        findDue(rig.tools, cadence),
        findDue(rig.tools, cadence),
      ])
    }
  })

  test('is left out while the last sync is unfinished', async () => {
    await using rig = await SyncRig.start(store)
    await reconcile(rig.tools, cadence)
    rig.moveClock(cadence.syncMs)
    await findDue(rig.tools, cadence)
    expect(await syncs(rig)).toBe(1)
    expect(await nextSyncAt(rig)).toBeGreaterThan(rig.tools.clock.now())
  })

  test('is nothing of a connection that is not automatic, until it is again', async () => {
    await using rig = await SyncRig.start(store)
    await reconcile(rig.tools, cadence)
    await complete(rig)
    await set(rig, "`syncMode` = 'manual'")
    rig.moveClock(cadence.syncMs)
    await reconcile(rig.tools, cadence)
    expect(await syncs(rig)).toBe(1)
    expect(await rig.count('`schedules`')).toBe(0)
    await set(rig, "`syncMode` = 'automatic'")
    await reconcile(rig.tools, cadence)
    expect(await syncs(rig)).toBe(2)
  })

  test('is a poll on the beat; a late one is not made up for, and an option sets how often', async () => {
    await using rig = await SyncRig.start(store)
    await reconcile(rig.tools, cadence)
    const polledAt = async (wait: number) => {
      rig.moveClock(wait)
      await findDue(rig.tools, cadence)
      return (await nextPollAt(rig)) - rig.tools.clock.now()
    }
    for (const wait of [0, 5000, 60_000, 5000]) {
      const next = await polledAt(wait)
      expect(next).toBeGreaterThan(0)
      expect(next).toBeLessThanOrEqual(5000)
    }
    await set(rig, '`options` = \'{"locationPollSeconds":3600}\'')
    expect(await polledAt(5000)).toBeGreaterThan(5000)
  })

  test('is as much as the queue can take, who has waited longest first', async () => {
    await using rig = await SyncRig.start(store)
    await reconcile(rig.tools, cadence)
    await complete(rig)
    rig.moveClock(cadence.syncMs)
    const full = { ...rig.tools, queue: { ...rig.tools.queue, waiting: async (_name: JobName) => 1000 } }
    await findDue(full, cadence)
    expect(await syncs(rig)).toBe(1)
    await findDue(rig.tools, cadence)
    expect(await syncs(rig)).toBe(2)
  })
})

async function nextSyncAt(rig: SyncRig): Promise<number> {
  const [row] = await rig.db.rows<{ at: number }>('SELECT `nextSyncAt` AS `at` FROM `schedules`')
  return Number(row?.at)
}

async function nextPollAt(rig: SyncRig): Promise<number> {
  const [row] = await rig.db.rows<{ at: number }>('SELECT `nextPollAt` AS `at` FROM `schedules`')
  return Number(row?.at)
}

const set = (rig: SyncRig, what: string) =>
  rig.db.transaction((tx) => tx.run(`UPDATE \`connections\` SET ${what}`))

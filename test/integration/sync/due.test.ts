import { describe, expect, test } from 'vitest'
import type { JobName } from '../../../src/queue/jobs.ts'
import { nextJitteredTime, nextRunAt } from '../../../src/sync/schedule/jitter.ts'
import { enqueueDue } from '../../../src/sync/schedule/enqueue-due.ts'
import { reconcile } from '../../../src/sync/schedule/reconcile.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const MINUTE = 60_000
const cadence = { pollMs: 5000, syncMs: 10 * MINUTE }

describe('the beat of a connection', () => {
  const ids = Array.from({ length: 500 }, (_, index) => `conn_${index}`)

  test('comes once in an interval, at a moment of its own', () => {
    const beats = ids.map((id) => nextJitteredTime(id, 1e12, 10_000) - 1e12)
    expect(Math.min(...beats)).toBeGreaterThan(0)
    expect(Math.max(...beats)).toBeLessThanOrEqual(10_000)
    for (const tenth of Array.from({ length: 10 }, (_, index) => index * 1000))
      expect(beats.filter((beat) => beat > tenth && beat <= tenth + 1000).length).toBeGreaterThan(20)
    for (const id of ids)
      expect(nextJitteredTime(id, nextJitteredTime(id, 1e12, 10_000), 10_000)).toBe(
        nextJitteredTime(id, 1e12, 10_000) + 10_000,
      )
  })

  test('is reached in turns that are never longer than an interval, and never shorter than half of one', () => {
    for (const id of ids) {
      let now = 1e12
      for (let turn = 0; turn < 4; turn++) {
        const next = nextRunAt(id, now, 10_000)
        expect(next - now).toBeGreaterThanOrEqual(5000)
        expect(next - now).toBeLessThanOrEqual(10_000)
        now = next
      }
      expect(now).toBe(nextJitteredTime(id, now - 1, 10_000))
    }
  })
})

describe.each(stores)('what is due on %s', (store) => {
  const syncs = (harness: SyncHarness) => harness.count('`syncs`')
  const complete = (harness: SyncHarness) =>
    harness.db.transaction((tx) => tx.run("UPDATE `syncs` SET `status` = 'completed', `completedAt` = 1"))

  test('is a sync at once, and then once in every interval, however many look', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    for (let interval = 1; interval <= 4; interval++) {
      expect(await syncs(harness)).toBe(interval)
      await complete(harness)
      await Promise.all([enqueueDue(harness.tools, cadence), enqueueDue(harness.tools, cadence)])
      expect(await syncs(harness)).toBe(interval)
      harness.moveClock((await nextSyncAt(harness)) - harness.tools.clock.now())
      await Promise.all([
        enqueueDue(harness.tools, cadence),
        enqueueDue(harness.tools, cadence),
        enqueueDue(harness.tools, cadence),
      ])
    }
  })

  test('is left out while the last sync is unfinished', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    harness.moveClock(cadence.syncMs)
    await enqueueDue(harness.tools, cadence)
    expect(await syncs(harness)).toBe(1)
    expect(await nextSyncAt(harness)).toBeGreaterThan(harness.tools.clock.now())
  })

  test('is nothing of a connection that is not automatic, until it is again', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    await complete(harness)
    await set(harness, "`syncMode` = 'manual'")
    harness.moveClock(cadence.syncMs)
    await reconcile(harness.tools, cadence)
    expect(await syncs(harness)).toBe(1)
    expect(await harness.count('`schedules`')).toBe(0)
    await set(harness, "`syncMode` = 'automatic'")
    await reconcile(harness.tools, cadence)
    expect(await syncs(harness)).toBe(2)
  })

  test('is a poll on the beat; a late one is not made up for, and an option sets how often', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    const polledAt = async (wait: number) => {
      harness.moveClock(wait)
      await enqueueDue(harness.tools, cadence)
      return (await nextPollAt(harness)) - harness.tools.clock.now()
    }
    for (const wait of [0, 5000, 60_000, 5000]) {
      const next = await polledAt(wait)
      expect(next).toBeGreaterThan(0)
      expect(next).toBeLessThanOrEqual(5000)
    }
    await set(harness, '`options` = \'{"locationPollSeconds":3600}\'')
    expect(await polledAt(5000)).toBeGreaterThan(5000)
  })

  test('is as much as the queue can take, who has waited longest first', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    await complete(harness)
    harness.moveClock(cadence.syncMs)
    const full = {
      ...harness.tools,
      queue: { ...harness.tools.queue, waiting: async (_name: JobName) => 1000 },
    }
    await enqueueDue(full, cadence)
    expect(await syncs(harness)).toBe(1)
    await enqueueDue(harness.tools, cadence)
    expect(await syncs(harness)).toBe(2)
  })
})

async function nextSyncAt(harness: SyncHarness): Promise<number> {
  const [row] = await harness.db.rows<{ at: number }>('SELECT `nextSyncAt` AS `at` FROM `schedules`')
  return Number(row?.at)
}

async function nextPollAt(harness: SyncHarness): Promise<number> {
  const [row] = await harness.db.rows<{ at: number }>('SELECT `nextPollAt` AS `at` FROM `schedules`')
  return Number(row?.at)
}

const set = (harness: SyncHarness, what: string) =>
  harness.db.transaction((tx) => tx.run(`UPDATE \`connections\` SET ${what}`))

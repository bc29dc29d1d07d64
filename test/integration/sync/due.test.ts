import { describe, expect, test } from 'vitest'
import type { JobName } from '../../../src/queue/jobs.ts'
import { nextJitteredTime, nextRunAt } from '../../../src/sync/schedule/jitter.ts'
import { enqueueDue } from '../../../src/sync/schedule/enqueue-due.ts'
import { reconcile } from '../../../src/sync/schedule/reconcile.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const MINUTE = 60_000
const cadence = { pollMs: 5000, syncMs: 10 * MINUTE }

describe('the schedule of a connection', () => {
  const ids = Array.from({ length: 500 }, (_, index) => `conn_${index}`)

  test('has one time in each interval, with a jitter from its id', () => {
    const times = ids.map((id) => nextJitteredTime(id, 1e12, 10_000) - 1e12)
    expect(Math.min(...times)).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThanOrEqual(10_000)
    for (const tenth of Array.from({ length: 10 }, (_, index) => index * 1000))
      expect(times.filter((time) => time > tenth && time <= tenth + 1000).length).toBeGreaterThan(20)
    for (const id of ids)
      expect(nextJitteredTime(id, nextJitteredTime(id, 1e12, 10_000), 10_000)).toBe(
        nextJitteredTime(id, 1e12, 10_000) + 10_000,
      )
  })

  test('converges in waits between half an interval and a whole one', () => {
    for (const id of ids) {
      let now = 1e12
      for (let wait = 0; wait < 4; wait++) {
        const next = nextRunAt(id, now, 10_000)
        expect(next - now).toBeGreaterThanOrEqual(5000)
        expect(next - now).toBeLessThanOrEqual(10_000)
        now = next
      }
      expect(now).toBe(nextJitteredTime(id, now - 1, 10_000))
    }
  })
})

describe.each(stores)('the scheduler on %s', (store) => {
  const syncs = (harness: SyncHarness) => harness.count('`syncs`')
  const completeSyncs = (harness: SyncHarness) =>
    harness.db.transaction((tx) => tx.run("UPDATE `syncs` SET `status` = 'completed', `completedAt` = 1"))

  test('requests a sync at once, then one in each interval, also from concurrent workers', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    for (let interval = 1; interval <= 4; interval++) {
      expect(await syncs(harness)).toBe(interval)
      await completeSyncs(harness)
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

  test('requests no sync while the last one is unfinished', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    harness.moveClock(cadence.syncMs)
    await enqueueDue(harness.tools, cadence)
    expect(await syncs(harness)).toBe(1)
    expect(await nextSyncAt(harness)).toBeGreaterThan(harness.tools.clock.now())
  })

  test('requests no sync of a connection in manual mode', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    await completeSyncs(harness)
    await setOnConnections(harness, "`syncMode` = 'manual'")
    harness.moveClock(cadence.syncMs)
    await reconcile(harness.tools, cadence)
    expect(await syncs(harness)).toBe(1)
    expect(await harness.count('`schedules`')).toBe(0)
    await setOnConnections(harness, "`syncMode` = 'automatic'")
    await reconcile(harness.tools, cadence)
    expect(await syncs(harness)).toBe(2)
  })

  test('requests polls at an interval that an option sets, and skips missed ones', async () => {
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
    await setOnConnections(harness, '`options` = \'{"locationPollSeconds":3600}\'')
    expect(await polledAt(5000)).toBeGreaterThan(5000)
  })

  test('requests nothing while the queue is full', async () => {
    await using harness = await SyncHarness.start(store)
    await reconcile(harness.tools, cadence)
    await completeSyncs(harness)
    harness.moveClock(cadence.syncMs)
    const fullQueue = {
      ...harness.tools,
      queue: { ...harness.tools.queue, waiting: async (_name: JobName) => 1000 },
    }
    await enqueueDue(fullQueue, cadence)
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

const setOnConnections = (harness: SyncHarness, assignment: string) =>
  harness.db.transaction((tx) => tx.run(`UPDATE \`connections\` SET ${assignment}`))

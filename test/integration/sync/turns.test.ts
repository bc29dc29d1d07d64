import { describe, expect, test } from 'vitest'
import { JobYielded } from '../../../src/queue/priority.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** Three pages of vehicles. */
const LARGE = { vehicles: 1100 }

/** Time slices of one page: because other jobs wait, or because an attempt has a time limit. */
const cases: Readonly<Record<string, TimeSlices>> = {
  'yields after each page while other jobs wait': { waiting: 1, timeSliceMs: 0 },
  'yields before the time limit of its attempt': { waiting: 0, maxTimeSliceMs: 0 },
}

interface TimeSlices extends Pick<WorkerDeps, 'timeSliceMs' | 'maxTimeSliceMs'> {
  readonly waiting: number
}

describe.each(stores)('a long sync on %s', (store) => {
  test.each(Object.entries(cases))('%s, and reads everything once', async (_, slices) => {
    await using harness = await SyncHarness.start(store, LARGE)
    await harness.db.transaction((tx) => tx.run('UPDATE `connections` SET `backfillFrom` = NULL'))
    const sync = await harness.request()
    let runs = 0
    let progress = 0
    for (let isYielded = true; isYielded; runs++) {
      isYielded = await runSlice(harness, sync.id, slices)
      const row = await harness.syncRow()
      expect(row.progress).toBeGreaterThanOrEqual(progress)
      progress = row.progress
    }
    expect(runs).toBeGreaterThan(4)
    expect(await harness.syncRow()).toMatchObject({ status: 'completed', progress: 100 })
    expect(await harness.count('`vehicles` WHERE `deletedAt` IS NULL')).toBe(LARGE.vehicles)
    expect(await harness.events()).toMatchObject({
      'sync.started': 1,
      'sync.completed': 1,
      'vehicle.added': LARGE.vehicles,
    })
    const [row] = await harness.db.rows<{ attempts: number }>('SELECT `attempts` FROM `syncs`')
    expect(Number(row?.attempts)).toBe(1)
  })
})

/** Runs a time slice of a sync that has started before. Returns whether the job has yielded. */
async function runSlice(
  harness: SyncHarness,
  syncId: Parameters<SyncHarness['run']>[0],
  { waiting, ...times }: TimeSlices,
): Promise<boolean> {
  await harness.db.transaction((tx) =>
    tx.run("UPDATE `syncs` SET `leaseOwner` = 'gave-way', `attempts` = 1 WHERE `status` = 'in_progress'"),
  )
  const queue = { ...harness.tools.queue, waiting: async () => waiting }
  const job = { id: 'job', attempt: 1, signal: AbortSignal.timeout(100_000) }
  const run = syncConnection({ ...harness.tools, queue, ...times }, syncId, job)
  return run.then(
    () => false,
    (error: unknown) => {
      if (error instanceof JobYielded) return true
      throw error
    },
  )
}

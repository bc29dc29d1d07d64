import { describe, expect, test } from 'vitest'
import { JobYielded } from '../../../src/queue/priority.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** Three pages of vehicles. */
const LARGE = { vehicles: 1100 }

/** Turns that are over after each page: because others wait, or because an attempt may not last for ever. */
const turns: Readonly<Record<string, Turns>> = {
  'gives way page by page while others wait': { waiting: 1, timeSliceMs: 0 },
  'begins another turn long before its attempt would be ended': { waiting: 0, maxTimeSliceMs: 0 },
}

interface Turns extends Pick<WorkerDeps, 'timeSliceMs' | 'maxTimeSliceMs'> {
  readonly waiting: number
}

describe.each(stores)('a long sync on %s', (store) => {
  test.each(Object.entries(turns))('%s, and reads everything, once', async (_, given) => {
    await using harness = await SyncHarness.start(store, LARGE)
    await harness.db.transaction((tx) => tx.run('UPDATE `connections` SET `backfillFrom` = NULL'))
    const sync = await harness.request()
    let taken = 0
    let progress = 0
    for (let more = true; more; taken++) {
      more = await turn(harness, sync.id, given)
      const row = await harness.syncRow()
      expect(row.progress).toBeGreaterThanOrEqual(progress)
      progress = row.progress
    }
    expect(taken).toBeGreaterThan(4)
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

/** Runs a sync that has had its first turn; says whether it has given way. */
async function turn(
  harness: SyncHarness,
  syncId: Parameters<SyncHarness['run']>[0],
  { waiting, ...times }: Turns,
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

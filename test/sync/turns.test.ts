import { describe, expect, test } from 'vitest'
import { GaveWay } from '../../src/queue/urgency.ts'
import type { SyncTools } from '../../src/sync/run.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { stores } from '../stores.ts'
import { SyncRig } from './rig.ts'

/** Three pages of vehicles. */
const LARGE = { vehicles: 1100 }

/** Turns that are over after each page: because others wait, or because an attempt may not last for ever. */
const turns: Readonly<Record<string, Turns>> = {
  'gives way page by page while others wait': { waiting: 1, turnMs: 0 },
  'begins another turn long before its attempt would be ended': { waiting: 0, longestTurnMs: 0 },
}

interface Turns extends Pick<SyncTools, 'turnMs' | 'longestTurnMs'> {
  readonly waiting: number
}

describe.each(stores)('a long sync on %s', (store) => {
  test.each(Object.entries(turns))('%s, and reads everything, once', async (_, given) => {
    await using rig = await SyncRig.start(store, LARGE)
    await rig.db.transaction((tx) => tx.run('UPDATE `connections` SET `backfillFrom` = NULL'))
    const sync = await rig.request()
    let taken = 0
    let progress = 0
    for (let more = true; more; taken++) {
      more = await turn(rig, sync.id, given)
      const row = await rig.syncRow()
      expect(row.progress).toBeGreaterThanOrEqual(progress)
      progress = row.progress
    }
    expect(taken).toBeGreaterThan(4)
    expect(await rig.syncRow()).toMatchObject({ status: 'completed', progress: 100 })
    expect(await rig.count('`vehicles` WHERE `deletedAt` IS NULL')).toBe(LARGE.vehicles)
    expect(await rig.events()).toMatchObject({
      'sync.started': 1,
      'sync.completed': 1,
      'vehicle.added': LARGE.vehicles,
    })
    const [row] = await rig.db.rows<{ attempts: number }>('SELECT `attempts` FROM `syncs`')
    expect(Number(row?.attempts)).toBe(1)
  })
})

/** Runs a sync that has had its first turn; says whether it has given way. */
async function turn(
  rig: SyncRig,
  syncId: Parameters<SyncRig['run']>[0],
  { waiting, ...times }: Turns,
): Promise<boolean> {
  await rig.db.transaction((tx) =>
    tx.run("UPDATE `syncs` SET `leaseOwner` = 'gave-way', `attempts` = 1 WHERE `status` = 'in_progress'"),
  )
  const queue = { ...rig.tools.queue, waiting: async () => waiting }
  const job = { id: 'job', attempt: 1, signal: AbortSignal.timeout(100_000) }
  const run = syncConnection({ ...rig.tools, queue, ...times }, syncId, job)
  return run.then(
    () => false,
    (error: unknown) => {
      if (error instanceof GaveWay) return true
      throw error
    },
  )
}

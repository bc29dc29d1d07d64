import type { Id } from '../../domain/ids.ts'
import { enqueueSync } from '../../subgraphs/connections/syncs/request-sync.ts'
import { connectionsWithFilterChanges } from '../../subgraphs/tables/filter-change.ts'
import { enqueueDue } from './enqueue-due.ts'
import { scheduleRetention } from '../retention/series-retention.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { type Cadence, scheduleMissing } from './schedule.ts'

/**
 * Enqueues the work that is due in the database, in case the queue has lost its jobs. The database is authoritative;
 * the queue can be rebuilt from it.
 */
export async function reconcile(deps: WorkerDeps, cadence: Cadence): Promise<void> {
  await requeueSyncs(deps)
  await enqueueFilterChanges(deps)
  await scheduleMissing(deps, cadence)
  await enqueueDue(deps, cadence)
  await scheduleRetention(deps)
}

const MAX_REQUEUED = 1000
const BATCH_SIZE = 50

/**
 * Enqueues unfinished syncs that no worker leases, unless at least as many jobs wait: then the queue has lost none.
 * Jobs of ended syncs also wait, but they do nothing and leave the queue soon.
 */
async function requeueSyncs({ db, queue, clock }: WorkerDeps): Promise<void> {
  const unfinished = await db.rows<{ id: Id<'sync'>; connectionId: Id<'connection'> }>(
    `SELECT \`id\`, \`connectionId\` FROM \`syncs\` WHERE \`status\` IN ('requested', 'in_progress')
      AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` < ?) ORDER BY \`id\` LIMIT ${MAX_REQUEUED}`,
    [clock.now()],
  )
  if (unfinished.length <= (await queue.waiting('sync-connection'))) return
  for (let start = 0; start < unfinished.length; start += BATCH_SIZE)
    await Promise.all(
      unfinished
        .slice(start, start + BATCH_SIZE)
        .map((sync) => enqueueSync({ queue }, sync, { urgency: 'due' })),
    )
}

/** Enqueues the stamping of the records whose visibility changed filters have changed. */
async function enqueueFilterChanges({ db, queue }: WorkerDeps): Promise<void> {
  for (const connectionId of await connectionsWithFilterChanges(db, MAX_REQUEUED))
    await queue.add('stamp-visibility', { connectionId }, { key: connectionId })
}

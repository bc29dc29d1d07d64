import type { Id } from '../../domain/ids.ts'
import { enqueueSync } from '../../subgraphs/connections/syncs/request-sync.ts'
import { enqueueDue } from './enqueue-due.ts'
import { scheduleRetention } from '../retention/series-retention.ts'
import type { WorkerDeps } from '../sync-context.ts'
import { type Cadence, scheduleMissing } from './schedule.ts'

/** What the database says is to be done goes into the queue, whatever the queue still knows of it. */
export async function reconcile(deps: WorkerDeps, cadence: Cadence): Promise<void> {
  await requeueSyncs(deps)
  await scheduleMissing(deps, cadence)
  await enqueueDue(deps, cadence)
  await scheduleRetention(deps)
}

const LOOKED_AT = 1000
const AT_ONCE = 50

/** A queue that holds as many as there are has lost none; what it has of those that ended it soon finds out. */
async function requeueSyncs({ db, queue, clock }: WorkerDeps): Promise<void> {
  const unfinished = await db.rows<{ id: Id<'sync'>; connectionId: Id<'connection'> }>(
    `SELECT \`id\`, \`connectionId\` FROM \`syncs\` WHERE \`status\` IN ('requested', 'in_progress')
      AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` < ?) ORDER BY \`id\` LIMIT ${LOOKED_AT}`,
    [clock.now()],
  )
  if (unfinished.length <= (await queue.waiting('sync-connection'))) return
  for (let at = 0; at < unfinished.length; at += AT_ONCE)
    await Promise.all(
      unfinished.slice(at, at + AT_ONCE).map((sync) => enqueueSync({ queue }, sync, { urgency: 'due' })),
    )
}

import type { Id } from '../../ids.ts'
import { enqueueSync } from '../../subgraphs/connections/syncs/request-sync.ts'
import { findDue } from './find-due.ts'
import { declareRetention } from '../removal/retention.ts'
import type { SyncTools } from '../run.ts'
import { type Cadence, scheduleMissing } from './schedule.ts'

/** What the database says is to be done goes into the queue, whatever the queue still knows of it. */
export async function reconcile(tools: SyncTools, cadence: Cadence): Promise<void> {
  await requeueSyncs(tools)
  await scheduleMissing(tools, cadence)
  await findDue(tools, cadence)
  await declareRetention(tools)
}

const LOOKED_AT = 1000
const AT_ONCE = 50

/** A queue that holds as many as there are has lost none; what it has of those that ended it soon finds out. */
async function requeueSyncs({ db, queue, clock }: SyncTools): Promise<void> {
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

import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { requireConnected } from '../../on-demand/provider-calls.ts'
import { syncEvent, withIssueIds } from '../events.ts'
import { findSync } from './cancel-sync.ts'
import { lockConnection } from '../find-connection.ts'
import { enqueueSync, requireNoUnfinishedSync } from './request-sync.ts'
import { type Sync, SyncStatus } from './sync.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'

/** Retries a failed sync from the point where it stopped. */
export async function retrySync(
  deps: ConnectionCommandDeps,
  caller: Caller,
  { syncId }: { readonly syncId: string },
): Promise<Sync> {
  const retried = await deps.db.transaction(async (tx) => {
    const { connectionId } = await findSync(tx, caller, syncId)
    const connection = await lockConnection(tx, caller, connectionId)
    const before = await findSync(tx, caller, syncId)
    if (before.status !== SyncStatus.FAILED)
      throw new PublicError(
        'unprocessable_entity',
        `The sync is ${before.status}: only a failed sync can be retried.`,
      )
    requireConnected(connection.status)
    await requireNoUnfinishedSync(tx, connection)
    const sync: Sync = { ...before, status: SyncStatus.REQUESTED, failureReason: null, completedAt: null }
    await tx.run(
      "UPDATE `syncs` SET `status` = 'requested', `failureReason` = NULL, `completedAt` = NULL WHERE `id` = ? AND `connectionId` = ?",
      [syncId, connectionId],
    )
    await tx.run('UPDATE `connections` SET `lastSyncId` = ? WHERE `id` = ? AND `applicationId` = ?', [
      syncId,
      connectionId,
      connection.applicationId,
    ])
    const origin = { applicationId: connection.applicationId, connectionId, at: deps.clock.now() }
    const providerName = providerNameOf(deps, connection.provider)
    const withIssues = await withIssueIds(tx, [sync])
    await appendEvents(
      tx,
      origin,
      withIssues.map((syncWithIssues) =>
        syncEvent('sync.requested', syncWithIssues, connection, providerName),
      ),
    )
    await recordAudit(tx, auditedBy(caller, origin.at), { action: 'sync.retried', targetId: syncId })
    return sync
  })
  // The previous job may still run, and the queue drops a job whose key is in use. Each start of a sync increases
  // `attempts`, so the key is new.
  await afterCommit(deps, {
    enqueue: () => enqueueSync(deps, retried, { key: `${syncId}-${retried.attempts}` }),
  })
  return retried
}

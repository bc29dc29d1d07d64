import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import type { Transaction } from '../../../storage/database.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { syncEvent, withIssueIds } from '../events.ts'
import type { Connection } from '../connection.ts'
import { lockConnection } from '../find-connection.ts'
import { Sync, SyncStatus } from './sync.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'

const table = tableOf(Sync)

/** Cancels a waiting or running sync. Its worker loses the lease and stops at its next write. */
export async function cancelSync(
  deps: ConnectionCommandDeps,
  caller: Caller,
  { syncId }: { readonly syncId: string },
): Promise<Sync> {
  const cancelled = await deps.db.transaction(async (tx) => {
    const before = await findSync(tx, caller, syncId)
    const connection = await lockConnection(tx, caller, before.connectionId)
    const now = deps.clock.now()
    const name = providerNameOf(deps, connection.provider)
    const [sync] = await cancelUnfinished(tx, connection, name, now, equal('id', syncId))
    if (!sync)
      throw new PublicError(
        'unprocessable_entity',
        `The sync is ${before.status}: there is nothing to cancel.`,
      )
    await recordAudit(tx, auditedBy(caller, now), { action: 'sync.cancelled', targetId: syncId })
    return sync
  })
  await afterCommit(deps, { endedSyncs: [cancelled] })
  return cancelled
}

/** Finds a sync of a caller. Throws if there is none. */
export async function findSync(tx: Transaction, caller: Caller, syncId: string): Promise<Sync> {
  const where = and(tenantWhere(caller), equal('id', syncId))
  const [row] = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`syncs\` WHERE ${where.sql}`,
    where.parameters,
  )
  if (!row) throw new PublicError('not_found', 'There is no such sync.')
  return table.toRow(row)
}

/** Cancels the unfinished syncs of a locked connection, and appends an event for each. */
export async function cancelUnfinished(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  now: Instant,
  condition: Where | null = null,
): Promise<Sync[]> {
  const where = and(
    { sql: "`connectionId` = ? AND `status` IN ('requested', 'in_progress')", parameters: [connection.id] },
    condition,
  )
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`syncs\` WHERE ${where.sql}`,
    where.parameters,
  )
  const cancelled: Sync[] = []
  for (const row of rows) {
    const sync = cancelledOf(table.toRow(row), now)
    if (await saveCancelled(tx, sync)) cancelled.push(sync)
  }
  const { id: connectionId, applicationId } = connection
  const withIssues = await withIssueIds(tx, cancelled)
  await appendEvents(
    tx,
    { applicationId, connectionId, at: now },
    withIssues.map((syncWithIssues) => syncEvent('sync.failed', syncWithIssues, connection, providerName)),
  )
  return cancelled
}

const cancelledOf = (sync: Sync, now: Instant): Sync => ({
  ...sync,
  status: SyncStatus.FAILED,
  failureReason: 'Cancelled.',
  completedAt: now,
})

/** Saves a cancelled sync. Returns false if the worker has ended the sync meanwhile. */
async function saveCancelled(
  tx: Transaction,
  { id, connectionId, status, failureReason, completedAt }: Sync,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE \`syncs\` SET \`status\` = ?, \`failureReason\` = ?, \`completedAt\` = ?, \`leaseOwner\` = NULL,
      \`leasedUntil\` = NULL WHERE \`id\` = ? AND \`connectionId\` = ? AND \`status\` IN ('requested', 'in_progress')`,
    [status, failureReason, completedAt, id, connectionId],
  )
  return changed === 1
}

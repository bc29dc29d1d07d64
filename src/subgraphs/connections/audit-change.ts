import type { Caller } from '../../auth/caller.ts'
import type { Transaction } from '../../storage/database.ts'
import { auditedBy, recordAudit, serviceActor } from '../tables/audit-log.ts'
import { type Connection, ConnectionStatus } from './connection.ts'
import type { Trigger } from './lifecycle/transitions.ts'

/** Audit actions for status changes by an update of the connection, keyed by the new status. */
const callerActions: Readonly<Partial<Record<ConnectionStatus, string>>> = {
  [ConnectionStatus.CONNECTED]: 'connection.reconnected',
  [ConnectionStatus.DISCONNECTED]: 'connection.disconnected',
  [ConnectionStatus.ARCHIVED]: 'connection.archived',
}

/** Audit actions for status changes that the service makes itself, keyed by trigger. */
const serviceActions: Readonly<Partial<Record<Trigger, string>>> = {
  refuse_credentials: 'connection.disconnected',
  begin_deletion: 'connection.deletion_begun',
  end_deletion: 'connection.deleted',
}

/**
 * Audits a transition that the service makes itself, and ignores any other. The commands of callers audit their own
 * transitions.
 */
export async function auditServiceTransition(
  tx: Transaction,
  trigger: Trigger | null,
  { before, after }: { readonly before: Connection; readonly after: Connection },
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status: from } = before
  const { id, applicationId, status: to, updatedAt: at } = after
  const action = trigger && serviceActions[trigger]
  if (!action || from === to) return
  await recordAudit(
    tx,
    { applicationId, actor: serviceActor, at },
    { action, targetId: id, detail: { from, to, ...detail } },
  )
}

/**
 * Audits an update of a connection by a caller. Records the names of the changed members and, if the status changed,
 * the old and the new status.
 */
export function auditConnectionUpdate(
  tx: Transaction,
  caller: Caller,
  { before, after }: { readonly before: Connection; readonly after: Connection },
  members: readonly string[],
): Promise<void> {
  const { id, status, updatedAt } = after
  const transition = before.status === status ? {} : { from: before.status, to: status }
  return recordAudit(tx, auditedBy(caller, updatedAt), {
    action: actionOf(before, after),
    targetId: id,
    detail: { ...transition, ...(members.length === 0 ? {} : { changed: members }) },
  })
}

function actionOf(before: Connection, after: Connection): string {
  if (before.status === after.status) return 'connection.updated'
  if (before.status === ConnectionStatus.PENDING_DELETION) return 'connection.deletion_called_off'
  return callerActions[after.status] ?? 'connection.updated'
}

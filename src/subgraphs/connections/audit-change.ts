import type { Caller } from '../../auth/caller.ts'
import type { Transaction } from '../../storage/database.ts'
import { auditedBy, recordAudit, serviceActor } from '../tables/audit-log.ts'
import { type Connection, ConnectionStatus } from './connection.ts'
import type { Trigger } from './lifecycle/transitions.ts'

/** The act of whoever brings a connection into a state. */
const actions: Readonly<Partial<Record<ConnectionStatus, string>>> = {
  [ConnectionStatus.CONNECTED]: 'connection.reconnected',
  [ConnectionStatus.DISCONNECTED]: 'connection.disconnected',
  [ConnectionStatus.ARCHIVED]: 'connection.archived',
}

/** Where the service itself takes a connection. */
const serviceActions: Readonly<Partial<Record<Trigger, string>>> = {
  refuse_credentials: 'connection.disconnected',
  begin_deletion: 'connection.deletion_begun',
  end_deletion: 'connection.deleted',
}

/** Remembers a move of a connection that nobody asked for; what somebody did is remembered with who it was. */
export async function auditServiceTransition(
  tx: Transaction,
  trigger: Trigger | null,
  { status: from }: Connection,
  { id, applicationId, status: to, updatedAt: at }: Connection,
): Promise<void> {
  const action = trigger && serviceActions[trigger]
  if (!action || from === to) return
  await recordAudit(
    tx,
    { applicationId, actor: serviceActor, at },
    { action, targetId: id, detail: { from, to } },
  )
}

/** Remembers what of a connection a caller has changed: the members by their names, and from which state to which. */
export function auditChange(
  tx: Transaction,
  caller: Caller,
  { before, after }: { readonly before: Connection; readonly after: Connection },
  members: readonly string[],
): Promise<void> {
  const { id, status, updatedAt } = after
  const moved = before.status === status ? {} : { from: before.status, to: status }
  return recordAudit(tx, auditedBy(caller, updatedAt), {
    action: actionOf(before, after),
    targetId: id,
    detail: { ...moved, ...(members.length === 0 ? {} : { changed: members }) },
  })
}

function actionOf(before: Connection, after: Connection): string {
  if (before.status === after.status) return 'connection.updated'
  if (before.status === ConnectionStatus.PENDING_DELETION) return 'connection.deletion_called_off'
  return actions[after.status] ?? 'connection.updated'
}

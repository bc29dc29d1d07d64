import type { Caller } from '../../auth/caller.ts'
import type { Transaction } from '../../storage/database.ts'
import { by, remember } from '../audit.ts'
import { type Connection, ConnectionStatus } from './connection.ts'

/** The act of whoever brings a connection into a state. */
const acts: Readonly<Partial<Record<ConnectionStatus, string>>> = {
  [ConnectionStatus.CONNECTED]: 'connection.reconnected',
  [ConnectionStatus.DISCONNECTED]: 'connection.disconnected',
  [ConnectionStatus.ARCHIVED]: 'connection.archived',
}

/** Remembers what of a connection a caller has changed: the members by their names, and from which state to which. */
export function rememberChange(
  tx: Transaction,
  caller: Caller,
  { before, after }: { readonly before: Connection; readonly after: Connection },
  members: readonly string[],
): Promise<void> {
  const { id, status, updatedAt } = after
  const moved = before.status === status ? {} : { from: before.status, to: status }
  return remember(tx, by(caller, updatedAt), {
    action: actionOf(before, after),
    targetId: id,
    detail: { ...moved, ...(members.length === 0 ? {} : { changed: members }) },
  })
}

function actionOf(before: Connection, after: Connection): string {
  if (before.status === after.status) return 'connection.updated'
  if (before.status === ConnectionStatus.PENDING_DELETION) return 'connection.deletion_called_off'
  return acts[after.status] ?? 'connection.updated'
}

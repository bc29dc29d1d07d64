import { accessTopic } from '../../streams/topics.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import type { Caller } from '../../../auth/caller.ts'
import type { Connection } from '../connection.ts'
import { lockConnection, findCallersConnection } from '../find-connection.ts'
import { transitionConnection } from './transition-connection.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'

/** Between the request and the deletion (gaps 2.1); in this time it can be called off. */
export const GRACE_MS = 24 * 3_600_000

/** Marks a connection for deletion: its syncs stop at once, its data goes after the grace period. */
export async function deleteConnection(
  deps: ConnectionCommandDeps,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> {
  const { id } = await findCallersConnection(deps.db, caller, connectionId)
  const { connection, ended } = await deps.db.transaction(async (tx) => {
    const before = await lockConnection(tx, caller, id)
    const now = deps.clock.now()
    const providerName = providerNameOf(deps, before.provider)
    const moved = await transitionConnection(tx, before, 'ask_deletion', { now, providerName })
    const act = { action: 'connection.deletion_requested', targetId: id, detail: { from: before.status } }
    if (moved.hasChanged) await recordAudit(tx, auditedBy(caller, now), act)
    return moved
  })
  deps.notifier.notify(accessTopic(connection.applicationId))
  await afterCommit(deps, undefined, ended)
  return connection
}

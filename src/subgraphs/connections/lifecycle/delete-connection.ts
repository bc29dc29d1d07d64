import { accessTopic } from '../../streams/topics.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import type { Caller } from '../../../auth/caller.ts'
import type { Connection } from '../connection.ts'
import { lockConnection, findCallersConnection } from '../find-connection.ts'
import { transitionConnection } from './transition-connection.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'

/** Time between the request and the deletion of the data. Until its end, the deletion can be cancelled. */
export const DELETION_GRACE_MS = 24 * 3_600_000

/** Marks a connection for deletion. Its syncs are cancelled at once; its data is deleted after the grace period. */
export async function deleteConnection(
  deps: ConnectionCommandDeps,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> {
  const { id } = await findCallersConnection(deps.db, caller, connectionId)
  const { connection, endedSyncs } = await deps.db.transaction(async (tx) => {
    const before = await lockConnection(tx, caller, id)
    const now = deps.clock.now()
    const providerName = providerNameOf(deps, before.provider)
    const result = await transitionConnection(tx, before, 'ask_deletion', { now, providerName })
    const change = { action: 'connection.deletion_requested', targetId: id, detail: { from: before.status } }
    if (result.hasChanged) await recordAudit(tx, auditedBy(caller, now), change)
    return result
  })
  deps.notifier.notify(accessTopic(connection.applicationId))
  await afterCommit(deps, { endedSyncs })
  return connection
}

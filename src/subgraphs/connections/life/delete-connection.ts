import { accessTopic } from '../../access.ts'
import { by, remember } from '../../audit.ts'
import type { Caller } from '../../../auth/caller.ts'
import type { Connection } from '../connection.ts'
import { heldConnection, meantConnection } from '../meant-connection.ts'
import { moveConnection } from './move-connection.ts'
import { type ConnectionWritesFrom, follow, providerNameOf } from '../writes-from.ts'

/** Between the request and the deletion (gaps 2.1); in this time it can be called off. */
export const GRACE_MS = 24 * 3_600_000

/** Marks a connection for deletion: its syncs stop at once, its data goes after the grace period. */
export async function deleteConnection(
  from: ConnectionWritesFrom,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> {
  const { id } = await meantConnection(from.db, caller, connectionId)
  const { connection, ended } = await from.db.transaction(async (tx) => {
    const before = await heldConnection(tx, caller, id)
    const now = from.clock.now()
    const providerName = providerNameOf(from, before.provider)
    const moved = await moveConnection(tx, before, 'ask_deletion', { now, providerName })
    const act = { action: 'connection.deletion_requested', targetId: id, detail: { from: before.status } }
    if (moved.hasChanged) await remember(tx, by(caller, now), act)
    return moved
  })
  from.doorbell.ring(accessTopic(connection.applicationId))
  await follow(from, undefined, ended)
  return connection
}

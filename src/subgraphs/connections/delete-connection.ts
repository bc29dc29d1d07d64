import { accessTopic } from '../access.ts'
import type { Caller } from '../../auth/caller.ts'
import { announce } from '../../storage/outbox.ts'
import { connectionEvent } from './announcements.ts'
import { cancelUnfinished } from './syncs/cancel-sync.ts'
import { type Connection, ConnectionStatus } from './connection.ts'
import { heldConnection, meantConnection, refuseGone, saveConnection } from './meant-connection.ts'
import { type ConnectionWritesFrom, follow, providerNameOf } from './writes-from.ts'

/** Between the request and the deletion (gaps 2.1); in this time it can be called off. */
export const GRACE_MS = 24 * 3_600_000

/** Marks a connection for deletion: its syncs stop at once, its data goes after the grace period. */
export async function deleteConnection(
  from: ConnectionWritesFrom,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> {
  const { id } = await meantConnection(from.db, caller, connectionId)
  const { marked, ended } = await from.db.transaction(async (tx) => {
    const before = await heldConnection(tx, caller, id)
    refuseGone(before)
    if (before.status === ConnectionStatus.PENDING_DELETION) return { marked: before, ended: [] }
    const now = from.clock.now()
    const providerName = providerNameOf(from, before.provider)
    const after = await saveConnection(tx, before, {
      status: ConnectionStatus.PENDING_DELETION,
      statusBefore: before.status,
      deletionRequestedAt: now,
      updatedAt: now,
    })
    const ended = await cancelUnfinished(tx, after, providerName, now)
    await announce(
      tx,
      { applicationId: after.applicationId, connectionId: id as Connection['id'], at: now },
      [connectionEvent('connection.pending_deletion', after, providerName)],
    )
    return { marked: after, ended }
  })
  from.doorbell.ring(accessTopic(marked.applicationId))
  await follow(from, undefined, ended)
  return marked
}

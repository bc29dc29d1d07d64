import { PublicError } from '../../errors.ts'
import { type Id, newId } from '../../ids.ts'
import type { Database } from '../../storage/database.ts'
import { forUpdate } from '../../storage/dialect.ts'
import { announce } from '../../storage/outbox.ts'
import { tableOf } from '../../storage/table.ts'
import { type Instant, toIso } from '../../time.ts'
import { briefly, Connection, ConnectionStatus } from './connection.ts'
import { Sync, SyncStatus } from './sync.ts'

interface SyncWish {
  readonly connectionId: Id<'connection'>
  readonly providerName: string
  /** The earliest record time; where the last sync ended if absent. */
  readonly startFrom?: Instant | null
}

/** Asks for a sync of a connection. One at a time: while another is unfinished this is a conflict that names it. */
export async function requestSync(db: Database, wish: SyncWish, now: Instant): Promise<Sync> {
  const table = tableOf(Connection)
  return db.transaction(async (tx) => {
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`connections\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
      [wish.connectionId],
    )
    if (!row) throw new PublicError('not_found', 'There is no such connection.')
    const connection = table.toRow(row)
    if (connection.status !== ConnectionStatus.CONNECTED)
      throw new PublicError(
        'connection_disconnected',
        `The connection is ${connection.status}: nothing is synced.`,
      )
    const [unfinished] = await tx.rows<{ id: string }>(
      "SELECT `id` FROM `syncs` WHERE `connectionId` = ? AND `status` IN ('requested', 'in_progress') LIMIT 1",
      [connection.id],
    )
    if (unfinished)
      throw new PublicError('conflict', 'A sync of this connection is not finished.', {
        detail: unfinished.id,
      })
    const sync = syncRow(connection, wish.startFrom ?? null, now)
    await tx.insert(tableOf(Sync), [sync])
    await tx.run('UPDATE `connections` SET `lastSyncId` = ? WHERE `id` = ?', [sync.id, connection.id])
    const { id, status } = sync
    await announce(tx, { applicationId: connection.applicationId, connectionId: connection.id, at: now }, [
      {
        type: 'sync.requested',
        subjectId: id,
        detail: {
          connection: briefly(connection, wish.providerName),
          sync: { id, status, requestedAt: toIso(now), progress: 0 },
        },
      },
    ])
    return sync
  })
}

const syncRow = (connection: Connection, startFrom: Instant | null, now: Instant): Sync => ({
  id: newId('sync', now),
  applicationId: connection.applicationId,
  connectionId: connection.id,
  status: SyncStatus.REQUESTED,
  requestedAt: now,
  completedAt: null,
  failureReason: null,
  progress: 0,
  startFrom,
  attempts: 0,
  leaseOwner: null,
  leasedUntil: null,
})

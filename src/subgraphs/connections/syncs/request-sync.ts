import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import { type Id, newId } from '../../../ids.ts'
import { pollNow } from '../../../queue/polls.ts'
import type { Urgency } from '../../../queue/urgency.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/dialect.ts'
import { announce } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/table.ts'
import { type Instant, toIso } from '../../../time.ts'
import { by, remember } from '../../audit.ts'
import { refuseUnlessConnected } from '../../live.ts'
import { syncEvent } from '../announcements.ts'
import { startOf } from '../check-input.ts'
import { Connection, SyncMode } from '../connection.ts'
import { meantConnection } from '../meant-connection.ts'
import { type ProviderRequest, Sync, SyncStatus } from './sync.ts'
import { type ConnectionWritesFrom, follow, providerNameOf } from '../writes-from.ts'

export interface SyncRequest {
  readonly connectionId?: string | null
  readonly startFrom?: Instant | null
  /** So many days before now; wins over `startFrom`. */
  readonly days?: number | null
  readonly providerRequests?: readonly ProviderRequest[] | null
}

/** Asks for a sync for a caller, and leaves it to the workers at once, with a look at what is only of now. */
export async function requestSyncNow(
  from: ConnectionWritesFrom,
  caller: Caller,
  { connectionId, providerRequests, ...start }: SyncRequest,
): Promise<Sync> {
  const connection = await meantConnection(from.db, caller, connectionId)
  const now = from.clock.now()
  const sync = await requestSync(
    from.db,
    {
      connectionId: connection.id,
      providerName: providerNameOf(from, connection.provider),
      startFrom: startOf(start, now),
      providerRequests: providerRequests ?? [],
    },
    now,
    (tx, asked) => rememberRequest(tx, caller, asked),
  )
  await follow(from, async () => {
    await enqueueSync(from, sync)
    await pollNow(from.queue, connection.id)
  })
  return sync
}

const rememberRequest = (
  tx: Transaction,
  caller: Caller,
  { id, connectionId, requestedAt, startFrom }: Sync,
): Promise<void> =>
  remember(tx, by(caller, requestedAt), {
    action: 'sync.requested',
    targetId: id,
    detail: { connectionId, ...(startFrom === null ? {} : { startFrom: toIso(startFrom) }) },
  })

interface SyncWish {
  readonly connectionId: Id<'connection'>
  readonly providerName: string
  /** The earliest record time; where the last sync ended if absent. */
  readonly startFrom?: Instant | null
  readonly providerRequests?: readonly ProviderRequest[]
}

/** Asks for a sync of a connection. One at a time: while another is unfinished this is a conflict that names it. */
export async function requestSync(
  db: Pick<Database, 'transaction'>,
  wish: SyncWish,
  now: Instant,
  also: (tx: Transaction, sync: Sync) => Promise<void> = async () => {},
): Promise<Sync> {
  const table = tableOf(Connection)
  return db.transaction(async (tx) => {
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`connections\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
      [wish.connectionId],
    )
    if (!row) throw new PublicError('not_found', 'There is no such connection.')
    const connection = table.toRow(row)
    refuseUnlessConnected(connection.status)
    await refuseWhileUnfinished(tx, connection)
    const sync = await addSync(tx, connection, wish, now)
    await also(tx, sync)
    return sync
  })
}

/**
 * Asks for a sync of a connection that is held and has just been connected. Null where it is synced on request only,
 * and where a sync of it is not finished.
 */
export async function syncAtOnce(
  tx: Transaction,
  connection: Connection,
  wish: Omit<SyncWish, 'connectionId'>,
  now: Instant,
): Promise<Sync | null> {
  if (connection.syncMode === SyncMode.MANUAL || (await unfinishedOf(tx, connection))) return null
  return addSync(tx, connection, wish, now)
}

async function addSync(
  tx: Transaction,
  connection: Connection,
  wish: Omit<SyncWish, 'connectionId'>,
  now: Instant,
): Promise<Sync> {
  const sync = syncRow(connection, wish, now)
  await tx.insert(tableOf(Sync), [sync])
  await tx.run('UPDATE `connections` SET `lastSyncId` = ? WHERE `id` = ?', [sync.id, connection.id])
  await announce(tx, { applicationId: connection.applicationId, connectionId: connection.id, at: now }, [
    syncEvent('sync.requested', { sync, issueIds: [] }, connection, wish.providerName),
  ])
  return sync
}

/** Within a transaction that holds the connection. */
export async function refuseWhileUnfinished(
  tx: Transaction,
  connection: Pick<Connection, 'id' | 'applicationId'>,
): Promise<void> {
  const unfinished = await unfinishedOf(tx, connection)
  if (!unfinished) return
  throw new PublicError('conflict', 'A sync of this connection is not finished.', { detail: unfinished.id })
}

async function unfinishedOf(
  tx: Transaction,
  { id, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
): Promise<{ id: string } | undefined> {
  const [unfinished] = await tx.rows<{ id: string }>(
    `SELECT \`id\` FROM \`syncs\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`status\` IN ('requested', 'in_progress') LIMIT 1`,
    [id, applicationId],
  )
  return unfinished
}

/** Leaves a sync to the workers. A job with the same key that has not ended yet absorbs it. */
export const enqueueSync = (
  { queue }: Pick<ConnectionWritesFrom, 'queue'>,
  { id, connectionId }: Pick<Sync, 'id' | 'connectionId'>,
  { key = id, urgency = 'asked' }: { readonly key?: string; readonly urgency?: Urgency } = {},
): Promise<void> => queue.add('sync-connection', { connectionId, syncId: id }, { key, urgency })

const syncRow = (
  connection: Connection,
  { startFrom = null, providerRequests = [] }: Omit<SyncWish, 'connectionId'>,
  now: Instant,
): Sync => ({
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
  providerRequests: providerRequests.length === 0 ? null : [...new Set(providerRequests)],
  leaseOwner: null,
  leasedUntil: null,
})

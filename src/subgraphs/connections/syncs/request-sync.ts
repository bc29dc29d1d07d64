import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import { type Id, newId } from '../../../domain/ids.ts'
import { enqueuePolls } from '../../../queue/poll-jobs.ts'
import type { JobPriority } from '../../../queue/priority.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { type Instant, toIso } from '../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { requireConnected } from '../../on-demand/provider-calls.ts'
import { syncEvent } from '../events.ts'
import { backfillStart } from '../validate-input.ts'
import { Connection, SyncMode } from '../connection.ts'
import { findCallersConnection } from '../find-connection.ts'
import { type ProviderRequest, Sync, SyncStatus } from './sync.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'

export interface SyncRequest {
  readonly connectionId?: string | null
  readonly startFrom?: Instant | null
  /** Number of days before now; takes precedence over `startFrom`. */
  readonly days?: number | null
  readonly providerRequests?: readonly ProviderRequest[] | null
}

/** Requests a sync for a caller. Enqueues the sync, and the polls of the latest states, which have no history. */
export async function requestSyncNow(
  deps: ConnectionCommandDeps,
  caller: Caller,
  { connectionId, providerRequests, ...start }: SyncRequest,
): Promise<Sync> {
  const connection = await findCallersConnection(deps.db, caller, connectionId)
  const now = deps.clock.now()
  const sync = await requestSync(
    deps.db,
    {
      connectionId: connection.id,
      providerName: providerNameOf(deps, connection.provider),
      startFrom: backfillStart(start, now),
      providerRequests: providerRequests ?? [],
    },
    now,
    (tx, requested) => auditRequest(tx, caller, requested),
  )
  await afterCommit(deps, {
    async enqueue() {
      await enqueueSync(deps, sync)
      await enqueuePolls(deps.queue, connection.id)
    },
  })
  return sync
}

const auditRequest = (
  tx: Transaction,
  caller: Caller,
  { id, connectionId, requestedAt, startFrom }: Sync,
): Promise<void> =>
  recordAudit(tx, auditedBy(caller, requestedAt), {
    action: 'sync.requested',
    targetId: id,
    detail: { connectionId, ...(startFrom === null ? {} : { startFrom: toIso(startFrom) }) },
  })

interface SyncInput {
  readonly connectionId: Id<'connection'>
  readonly providerName: string
  /** Earliest record time. If absent, the sync continues from the end of the last sync. */
  readonly startFrom?: Instant | null
  readonly providerRequests?: readonly ProviderRequest[]
}

/**
 * Requests a sync of a connection. A connection has one sync at a time: if it has an unfinished one, throws a conflict
 * with its id.
 */
export async function requestSync(
  db: Pick<Database, 'transaction'>,
  input: SyncInput,
  now: Instant,
  inTransaction: (tx: Transaction, sync: Sync) => Promise<void> = async () => {},
): Promise<Sync> {
  const table = tableOf(Connection)
  return db.transaction(async (tx) => {
    const [row] = await tx.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`connections\` WHERE \`id\` = ?${forUpdate(tx.dialect)}`,
      [input.connectionId],
    )
    if (!row) throw new PublicError('not_found', 'There is no such connection.')
    const connection = table.toRow(row)
    requireConnected(connection.status)
    await requireNoUnfinishedSync(tx, connection)
    const sync = await addSync(tx, connection, input, now)
    await inTransaction(tx, sync)
    return sync
  })
}

/**
 * Requests a sync of a locked connection that has just been connected. Returns null if the connection has
 * manual sync or an unfinished sync.
 */
export async function requestInitialSync(
  tx: Transaction,
  connection: Connection,
  input: Omit<SyncInput, 'connectionId'>,
  now: Instant,
): Promise<Sync | null> {
  if (connection.syncMode === SyncMode.MANUAL || (await findUnfinishedSync(tx, connection))) return null
  return addSync(tx, connection, input, now)
}

async function addSync(
  tx: Transaction,
  connection: Connection,
  input: Omit<SyncInput, 'connectionId'>,
  now: Instant,
): Promise<Sync> {
  const sync = syncRow(connection, input, now)
  await tx.insert(tableOf(Sync), [sync])
  await tx.run('UPDATE `connections` SET `lastSyncId` = ? WHERE `id` = ? AND `applicationId` = ?', [
    sync.id,
    connection.id,
    connection.applicationId,
  ])
  await appendEvents(tx, { applicationId: connection.applicationId, connectionId: connection.id, at: now }, [
    syncEvent('sync.requested', { sync, issueIds: [] }, connection, input.providerName),
  ])
  return sync
}

/** Throws a conflict if the locked connection has an unfinished sync. */
export async function requireNoUnfinishedSync(
  tx: Transaction,
  connection: Pick<Connection, 'id' | 'applicationId'>,
): Promise<void> {
  const unfinished = await findUnfinishedSync(tx, connection)
  if (!unfinished) return
  throw new PublicError('conflict', 'A sync of this connection is not finished.', { detail: unfinished.id })
}

async function findUnfinishedSync(
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

/** Enqueues a sync. The queue drops the new job if an unfinished job has the same key. */
export const enqueueSync = (
  { queue }: Pick<ConnectionCommandDeps, 'queue'>,
  { id, connectionId }: Pick<Sync, 'id' | 'connectionId'>,
  { key = id, urgency: priority = 'asked' }: { readonly key?: string; readonly urgency?: JobPriority } = {},
): Promise<void> => queue.add('sync-connection', { connectionId, syncId: id }, { key, priority })

const syncRow = (
  connection: Connection,
  { startFrom = null, providerRequests = [] }: Omit<SyncInput, 'connectionId'>,
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

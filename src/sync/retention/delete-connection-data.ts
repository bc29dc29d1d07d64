import { type Id, idPrefixes, idTimeOf } from '../../domain/ids.ts'
import type { Queue } from '../../queue/queue.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Transaction } from '../../storage/database.ts'
import { tablesWith } from '../../storage/sql/dialect.ts'
import { type Connection, ConnectionStatus } from '../../subgraphs/connections/connection.ts'
import { DELETION_GRACE_MS } from '../../subgraphs/connections/lifecycle/delete-connection.ts'
import { lockConnection } from '../../subgraphs/connections/find-connection.ts'
import { transitionConnection } from '../../subgraphs/connections/lifecycle/transition-connection.ts'
import { removeAttempts } from './purge-orphaned-deliveries.ts'
import type { WorkerDeps } from '../sync-context.ts'

type DeletionDeps = Pick<WorkerDeps, 'db' | 'clock' | 'registry'> & { readonly queue: Pick<Queue, 'remove'> }

const ROWS_PER_BATCH = 250
const BATCHES_PER_RUN = 400

type DueConnection = Pick<Connection, 'id' | 'applicationId' | 'status'>

/** Deletes the data of connections whose grace period is over. One call deletes at most `BATCHES_PER_RUN` batches. */
export async function deleteDueConnectionData(deps: DeletionDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const due = await db.rows<DueConnection>(
    `SELECT \`id\`, \`applicationId\`, \`status\` FROM \`connections\` WHERE \`status\` = 'deleting'
      OR (\`status\` = 'pending_deletion' AND \`deletionRequestedAt\` <= ?)`,
    [now - DELETION_GRACE_MS],
  )
  let batches = BATCHES_PER_RUN
  for (const connection of due) {
    signal?.throwIfAborted()
    if (connection.status === ConnectionStatus.PENDING_DELETION && !(await beginDeletion(deps, connection)))
      continue
    batches = await deleteData(deps, connection.id, batches)
    if (batches === 0) return
    // While a job of the connection runs, the deletion cannot end. A later call ends it.
    if (await deps.queue.remove(connection.id)) await finishDeletion(deps, connection)
  }
}

/** Begins the deletion, which can then no longer be cancelled. Returns false if it has been cancelled before. */
const beginDeletion = (deps: DeletionDeps, due: DueConnection): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const before = await lockConnections(tx, due)
    if ((before.deletionRequestedAt ?? Infinity) > deps.clock.now() - DELETION_GRACE_MS) return false
    const { hasChanged } = await transitionConnection(
      tx,
      before,
      'begin_deletion',
      transitionOf(deps, before),
    )
    return hasChanged
  })

const lockConnections = (tx: Transaction, { id, applicationId }: DueConnection): Promise<Connection> =>
  lockConnection(tx, { applicationId, connectionIds: [id] }, id)

const transitionOf = ({ clock, registry }: DeletionDeps, { provider }: Connection) => ({
  now: clock.now(),
  providerName: registry.find(provider)?.manifest.name ?? provider,
})

interface OwnedTable {
  readonly name: string
  readonly key: readonly string[]
}

/**
 * Deletes the rows of a connection from all tables with a column `connectionId`, in at most `batches` batches. Returns
 * how many of these batches are left.
 */
async function deleteData(deps: DeletionDeps, id: Id<'connection'>, batches: number): Promise<number> {
  let remaining = batches
  for (const table of await ownedTables(deps))
    for (const range of rangesOf(table, id))
      while (remaining > 0) {
        remaining--
        if ((await deleteBatch(deps, table, id, range)) < ROWS_PER_BATCH) break
      }
  return remaining
}

async function ownedTables({ db }: DeletionDeps): Promise<OwnedTable[]> {
  const rows = await db.rows<{ table: string; column: string }>(tablesWith(db.dialect), ['connectionId'])
  const keys = new Map<string, string[]>()
  for (const { table, column } of rows)
    if (table !== 'connections') keys.set(table, [...(keys.get(table) ?? []), column])
  return [...keys].map(([name, key]) => ({ name, key }))
}

interface Range {
  readonly from: string
  readonly to: string
}

/**
 * Returns id ranges that cover most rows of a connection, then null for a scan of the remaining rows. Time series and
 * raw records are clustered by owner id and have no index by connection. The ids of a connection's records share the
 * time part of the connection id, so they are adjacent.
 */
function rangesOf({ key }: OwnedTable, id: Id<'connection'>): (Range | null)[] {
  if (key[0] !== 'vehicleId' && key[0] !== 'ownerId') return [null]
  const ranges = Object.values(idPrefixes).map((prefix) => ({
    from: `${prefix}_${idTimeOf(id)}`,
    to: `${prefix}_${idTimeOf(id)}~`,
  }))
  return [...ranges, null]
}

/** Clears events but keeps their ids and positions, so that a reader can continue after any of them. */
const BLANK_EVENTS =
  "UPDATE `events` SET `connectionId` = '', `type` = '', `subjectId` = NULL, `detail` = '{}'"

async function deleteBatch(
  { db }: DeletionDeps,
  { name, key }: OwnedTable,
  id: string,
  range: Range | null,
): Promise<number> {
  const within = range ? ` AND \`${key[0]}\` >= ? AND \`${key[0]}\` < ?` : ''
  const rows = await db.rows<Record<string, string | number>>(
    `SELECT ${key.map((column) => `\`${column}\``).join(', ')} FROM \`${name}\` WHERE \`connectionId\` = ?${within}
      LIMIT ${ROWS_PER_BATCH}`,
    [id, ...(range ? [range.from, range.to] : [])],
  )
  if (rows.length === 0) return 0
  const [firstColumn] = key
  const keysSql =
    key.length === 1
      ? `\`${firstColumn}\` IN (${placeholders(rows.length)})`
      : rows.map(() => `(${key.map((column) => `\`${column}\` = ?`).join(' AND ')})`).join(' OR ')
  const remove = name === 'events' ? BLANK_EVENTS : `DELETE FROM \`${name}\``
  await db.transaction(async (tx) => {
    if (name === 'webhook_deliveries')
      await removeAttempts(
        tx,
        rows.map((row) => row['id']),
      )
    await tx.run(`${remove} WHERE \`connectionId\` = ? AND (${keysSql})`, [
      id,
      ...rows.flatMap((row) => key.map((column) => row[column])),
    ])
  }, 'idempotent')
  return rows.length
}

/**
 * Reduces the connection to a stub. It keeps its token, tags and own fields. It loses options, filters, credentials and
 * user.
 */
async function finishDeletion(deps: DeletionDeps, due: DueConnection): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const before = await lockConnections(tx, due)
    if (before.status !== ConnectionStatus.DELETING) return
    const transition = transitionOf(deps, before)
    await transitionConnection(tx, before, 'end_deletion', {
      ...transition,
      fields: {
        options: {},
        filters: null,
        account: { ...before.account, user: null },
        credentialsSealed: '',
        lastSyncId: null,
        deletedAt: transition.now,
      },
    })
  })
}

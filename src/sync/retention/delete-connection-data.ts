import { type Id, idPrefixes, idTimeOf } from '../../domain/ids.ts'
import type { Queue } from '../../queue/queue.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Transaction } from '../../storage/database.ts'
import { tablesWith } from '../../storage/sql/dialect.ts'
import { type Connection, ConnectionStatus } from '../../subgraphs/connections/connection.ts'
import { GRACE_MS } from '../../subgraphs/connections/lifecycle/delete-connection.ts'
import { lockConnection } from '../../subgraphs/connections/find-connection.ts'
import { transitionConnection } from '../../subgraphs/connections/lifecycle/transition-connection.ts'
import { removeAttempts } from './purge-orphaned-deliveries.ts'
import type { WorkerDeps } from '../sync-context.ts'

type DeletionDeps = Pick<WorkerDeps, 'db' | 'clock' | 'registry'> & { readonly queue: Pick<Queue, 'remove'> }

const ROWS_PER_BATCH = 250
const BATCHES_PER_RUN = 400

type Due = Pick<Connection, 'id' | 'applicationId' | 'status'>

/** Deletes the data of the connections whose grace period is over, a bounded part of it at a time. */
export async function deleteDueConnectionData(deps: DeletionDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const due = await db.rows<Due>(
    `SELECT \`id\`, \`applicationId\`, \`status\` FROM \`connections\` WHERE \`status\` = 'deleting'
      OR (\`status\` = 'pending_deletion' AND \`deletionRequestedAt\` <= ?)`,
    [now - GRACE_MS],
  )
  let batches = BATCHES_PER_RUN
  for (const connection of due) {
    signal?.throwIfAborted()
    if (connection.status === ConnectionStatus.PENDING_DELETION && !(await begin(deps, connection))) continue
    batches = await deleteData(deps, connection.id, batches)
    if (batches === 0) return
    // A job of it that still runs is waited for: the next look finds it ended.
    if (await deps.queue.remove(connection.id)) await finish(deps, connection)
  }
}

/** From here on there is no way back. False where somebody called the deletion off in the meantime. */
const begin = (deps: DeletionDeps, due: Due): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const before = await lockConnections(tx, due)
    if ((before.deletionRequestedAt ?? Infinity) > deps.clock.now() - GRACE_MS) return false
    const { hasChanged } = await transitionConnection(tx, before, 'begin_deletion', moveOf(deps, before))
    return hasChanged
  })

const lockConnections = (tx: Transaction, { id, applicationId }: Due): Promise<Connection> =>
  lockConnection(tx, { applicationId, connectionIds: [id] }, id)

const moveOf = ({ clock, registry }: DeletionDeps, { provider }: Connection) => ({
  now: clock.now(),
  providerName: registry.find(provider)?.manifest.name ?? provider,
})

interface OwnedTable {
  readonly name: string
  readonly key: readonly string[]
}

/** Deletes from every table that names connections, whichever there are. Gives how many batches are left. */
async function deleteData(deps: DeletionDeps, id: Id<'connection'>, batches: number): Promise<number> {
  let left = batches
  for (const table of await ownedTables(deps))
    for (const range of rangesOf(table, id))
      while (left > 0) {
        left--
        if ((await deleteBatch(deps, table, id, range)) < ROWS_PER_BATCH) break
      }
  return left
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
 * Series and raw records are clustered by whose they are and have no index by connection. The ids of a connection's
 * records begin with its time, so they lie together; what is left elsewhere is found last.
 */
function rangesOf({ key }: OwnedTable, id: Id<'connection'>): (Range | null)[] {
  if (key[0] !== 'vehicleId' && key[0] !== 'ownerId') return [null]
  const ranges = Object.values(idPrefixes).map((prefix) => ({
    from: `${prefix}_${idTimeOf(id)}`,
    to: `${prefix}_${idTimeOf(id)}~`,
  }))
  return [...ranges, null]
}

/** An event leaves its id and place, so that who has read up to it can go on from there. */
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
  const [only] = key
  const which =
    key.length === 1
      ? `\`${only}\` IN (${placeholders(rows.length)})`
      : rows.map(() => `(${key.map((column) => `\`${column}\` = ?`).join(' AND ')})`).join(' OR ')
  const remove = name === 'events' ? BLANK_EVENTS : `DELETE FROM \`${name}\``
  await db.transaction(async (tx) => {
    if (name === 'webhook_deliveries')
      await removeAttempts(
        tx,
        rows.map((row) => row['id']),
      )
    await tx.run(`${remove} WHERE \`connectionId\` = ? AND (${which})`, [
      id,
      ...rows.flatMap((row) => key.map((column) => row[column])),
    ])
  }, 'repeatable')
  return rows.length
}

/** What remains: whose account it was, the caller's own words for it, and its token. */
async function finish(deps: DeletionDeps, due: Due): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const before = await lockConnections(tx, due)
    if (before.status !== ConnectionStatus.DELETING) return
    const move = moveOf(deps, before)
    await transitionConnection(tx, before, 'end_deletion', {
      ...move,
      also: {
        options: {},
        filters: null,
        account: { ...before.account, user: null },
        credentialsSealed: '',
        lastSyncId: null,
        deletedAt: move.now,
      },
    })
  })
}

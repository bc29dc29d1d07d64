import { type Id, idPrefixes, timeOf } from '../../ids.ts'
import { announce } from '../../storage/outbox.ts'
import { placeholders } from '../../storage/in-order.ts'
import { tablesWith } from '../../storage/dialect.ts'
import { connectionEvent } from '../../subgraphs/connections/announcements.ts'
import { ConnectionStatus } from '../../subgraphs/connections/connection.ts'
import { GRACE_MS } from '../../subgraphs/connections/delete-connection.ts'
import { heldConnection, saveConnection } from '../../subgraphs/connections/meant-connection.ts'
import { removeAttempts } from './orphaned-deliveries.ts'
import type { SyncTools } from '../run.ts'

type Tools = Pick<SyncTools, 'db' | 'clock' | 'registry'>

const ROWS_PER_BATCH = 250
const BATCHES_PER_RUN = 400

/** Deletes the data of the connections whose grace period is over, a bounded part of it at a time. */
export async function deleteDueConnections(tools: Tools, signal?: AbortSignal): Promise<void> {
  const { db, clock } = tools
  const now = clock.now()
  const due = await db.rows<{ id: Id<'connection'>; status: ConnectionStatus }>(
    `SELECT \`id\`, \`status\` FROM \`connections\` WHERE \`status\` = 'deleting'
      OR (\`status\` = 'pending_deletion' AND \`deletionRequestedAt\` <= ?)`,
    [now - GRACE_MS],
  )
  let batches = BATCHES_PER_RUN
  for (const { id, status } of due) {
    signal?.throwIfAborted()
    if (status === ConnectionStatus.PENDING_DELETION && !(await begin(tools, id))) continue
    batches = await deleteData(tools, id, batches)
    if (batches === 0) return
    await finish(tools, id)
  }
}

/** From here on there is no way back. False where somebody called the deletion off in the meantime. */
const begin = ({ db, clock }: Tools, id: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const begun = await tx.run(
      `UPDATE \`connections\` SET \`status\` = 'deleting', \`updatedAt\` = ? WHERE \`id\` = ?
        AND \`status\` = 'pending_deletion' AND \`deletionRequestedAt\` <= ?`,
      [now, id, now - GRACE_MS],
    )
    return begun === 1
  })

interface OwnedTable {
  readonly name: string
  readonly key: readonly string[]
}

/** Deletes from every table that names connections, whichever there are. Gives how many batches are left. */
async function deleteData(tools: Tools, id: Id<'connection'>, batches: number): Promise<number> {
  let left = batches
  for (const table of await ownedTables(tools))
    for (const range of rangesOf(table, id))
      while (left > 0) {
        left--
        if ((await deleteBatch(tools, table, id, range)) < ROWS_PER_BATCH) break
      }
  return left
}

async function ownedTables({ db }: Tools): Promise<OwnedTable[]> {
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
    from: `${prefix}_${timeOf(id)}`,
    to: `${prefix}_${timeOf(id)}~`,
  }))
  return [...ranges, null]
}

/** An event leaves its id and place, so that who has read up to it can go on from there. */
const BLANK_EVENTS =
  "UPDATE `events` SET `connectionId` = '', `type` = '', `subjectId` = NULL, `detail` = '{}'"

async function deleteBatch(
  { db }: Tools,
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
async function finish({ db, clock, registry }: Tools, id: Id<'connection'>): Promise<void> {
  await db.transaction(async (tx) => {
    const [owner] = await tx.rows<{ applicationId: Id<'application'> }>(
      "SELECT `applicationId` FROM `connections` WHERE `id` = ? AND `status` = 'deleting'",
      [id],
    )
    if (!owner) return
    const { applicationId } = owner
    const before = await heldConnection(tx, { applicationId, connectionIds: [id] }, id)
    const now = clock.now()
    const stub = await saveConnection(tx, before, {
      status: ConnectionStatus.DELETED,
      options: {},
      filters: null,
      account: { ...before.account, user: null },
      credentialsSealed: '',
      lastSyncId: null,
      statusBefore: null,
      deletedAt: now,
      updatedAt: now,
    })
    const providerName = registry.find(stub.provider)?.manifest.name ?? stub.provider
    await announce(tx, { applicationId, connectionId: id, at: now }, [
      connectionEvent('connection.deleted', stub, providerName),
    ])
  })
}

import type { Kind } from '../../../domain/ids.ts'
import type { LatestModel, NormalizedLatestRecords } from '../../../domain/record-models.ts'
import type { Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { latestRawOwnerId } from '../../../subgraphs/tables/raw-record.ts'
import { type LatestStateStore, latestStateStores } from './latest-state-store.ts'
import type { ParsedRecord } from '../parse-page.ts'

/**
 * SQL conditions that select the owners that are gone: removed records and inactive drivers. They have no latest state.
 */
const GONE = {
  vehicles: 'o.`deletedAt` IS NOT NULL',
  trailers: 'o.`deletedAt` IS NOT NULL',
  drivers: "(o.`deletedAt` IS NOT NULL OR o.`status` = 'inactive')",
} as const

type AnyStore = LatestStateStore<NormalizedLatestRecords[LatestModel]>
type ConnectionKey = Pick<Connection, 'id' | 'applicationId'>

/** Deletes the latest states of those records that are gone. Does nothing for a kind without latest states. */
export async function purgeRemoved(
  tx: Transaction,
  kind: Kind,
  connection: ConnectionKey,
  ids: readonly string[],
): Promise<void> {
  const store = Object.values(latestStateStores).find(({ ownerColumn }) => ownerColumn === `${kind}Id`)
  if (store) await purgeGone(tx, store as AnyStore, connection, ids)
}

/** Leaves out the states of a page whose owners are gone, and deletes the stored states of these owners. */
export async function withoutRemoved<Normalized extends NormalizedLatestRecords[LatestModel]>(
  tx: Transaction,
  store: LatestStateStore<Normalized>,
  connection: Connection,
  parsed: readonly ParsedRecord<Normalized>[],
): Promise<readonly ParsedRecord<Normalized>[]> {
  const idOf = ({ normalized }: ParsedRecord<Normalized>) =>
    String(store.row(connection, normalized, 0)[store.ownerColumn])
  const gone = await purgeGone(tx, store, connection, parsed.map(idOf))
  return gone.size === 0 ? parsed : parsed.filter((record) => !gone.has(idOf(record)))
}

async function purgeGone(
  tx: Transaction,
  { table, ownerColumn, ownerTable }: Pick<LatestStateStore<never>, 'table' | 'ownerColumn' | 'ownerTable'>,
  { id: connectionId, applicationId }: ConnectionKey,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const gone = await tx.rows<{ id: string; known: string | null }>(
    `SELECT o.\`id\`, s.\`${ownerColumn}\` AS \`known\` FROM \`${ownerTable}\` AS o
      LEFT JOIN \`${table.name}\` AS s ON s.\`${ownerColumn}\` = o.\`id\` AND s.\`connectionId\` = o.\`connectionId\`
      WHERE o.\`connectionId\` = ? AND o.\`applicationId\` = ? AND o.\`id\` IN (${placeholders(ids.length)})
        AND ${GONE[ownerTable]}`,
    [connectionId, applicationId, ...ids],
  )
  const known = gone.filter((row) => row.known !== null).map(({ id }) => id)
  if (known.length > 0)
    await deleteStates(tx, { table, ownerColumn }, { id: connectionId, applicationId }, known)
  return new Set(gone.map(({ id }) => id))
}

async function deleteStates(
  tx: Transaction,
  { table, ownerColumn }: Pick<LatestStateStore<never>, 'table' | 'ownerColumn'>,
  { id: connectionId, applicationId }: ConnectionKey,
  ids: readonly string[],
): Promise<void> {
  const idList = placeholders(ids.length)
  const ofConnection = '`connectionId` = ? AND `applicationId` = ?'
  await tx.run(`DELETE FROM \`${table.name}\` WHERE ${ofConnection} AND \`${ownerColumn}\` IN (${idList})`, [
    connectionId,
    applicationId,
    ...ids,
  ])
  await tx.run(`DELETE FROM \`raw_records\` WHERE ${ofConnection} AND \`ownerId\` IN (${idList})`, [
    connectionId,
    applicationId,
    ...ids.map(latestRawOwnerId),
  ])
}

import type { Kind } from '../../../domain/ids.ts'
import type { LatestModel, NormalizedLatestRecords } from '../../../domain/record-models.ts'
import type { Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { latestRawOwnerId } from '../../../subgraphs/tables/raw-record.ts'
import { type LatestStateStore, latestStateStores } from './latest-state-store.ts'
import type { ParsedRecord } from '../parse-page.ts'

/** SQL conditions on owners that have no latest state: removed records and inactive drivers. */
const GONE = {
  vehicles: 'o.`deletedAt` IS NOT NULL',
  trailers: 'o.`deletedAt` IS NOT NULL',
  drivers: "(o.`deletedAt` IS NOT NULL OR o.`status` = 'inactive')",
} as const

type AnyStore = LatestStateStore<NormalizedLatestRecords[LatestModel]>
type ConnectionKey = Pick<Connection, 'id' | 'applicationId'>

/** Deletes the latest states of those records that are gone. Does nothing for kinds without latest states. */
export async function purgeRemoved(
  tx: Transaction,
  kind: Kind,
  connection: ConnectionKey,
  ids: readonly string[],
): Promise<void> {
  const stored = Object.values(latestStateStores).find(({ owner }) => owner === `${kind}Id`)
  if (stored) await purgeGone(tx, stored as AnyStore, connection, ids)
}

/** Removes the states of gone owners from a page, and deletes their stored states. */
export async function withoutRemoved<Normalized extends NormalizedLatestRecords[LatestModel]>(
  tx: Transaction,
  stored: LatestStateStore<Normalized>,
  connection: Connection,
  parsed: readonly ParsedRecord<Normalized>[],
): Promise<readonly ParsedRecord<Normalized>[]> {
  const idOf = ({ normalized }: ParsedRecord<Normalized>) =>
    String(stored.row(connection, normalized, 0)[stored.owner])
  const gone = await purgeGone(tx, stored, connection, parsed.map(idOf))
  return gone.size === 0 ? parsed : parsed.filter((record) => !gone.has(idOf(record)))
}

async function purgeGone(
  tx: Transaction,
  { table, owner, owners }: Pick<LatestStateStore<never>, 'table' | 'owner' | 'owners'>,
  { id: connectionId, applicationId }: ConnectionKey,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const gone = await tx.rows<{ id: string; known: string | null }>(
    `SELECT o.\`id\`, s.\`${owner}\` AS \`known\` FROM \`${owners}\` AS o
      LEFT JOIN \`${table.name}\` AS s ON s.\`${owner}\` = o.\`id\` AND s.\`connectionId\` = o.\`connectionId\`
      WHERE o.\`connectionId\` = ? AND o.\`applicationId\` = ? AND o.\`id\` IN (${placeholders(ids.length)})
        AND ${GONE[owners]}`,
    [connectionId, applicationId, ...ids],
  )
  const known = gone.filter((row) => row.known !== null).map(({ id }) => id)
  if (known.length > 0) await deleteStates(tx, { table, owner }, { id: connectionId, applicationId }, known)
  return new Set(gone.map(({ id }) => id))
}

async function deleteStates(
  tx: Transaction,
  { table, owner }: Pick<LatestStateStore<never>, 'table' | 'owner'>,
  { id: connectionId, applicationId }: ConnectionKey,
  ids: readonly string[],
): Promise<void> {
  const these = placeholders(ids.length)
  const ofConnection = '`connectionId` = ? AND `applicationId` = ?'
  await tx.run(`DELETE FROM \`${table.name}\` WHERE ${ofConnection} AND \`${owner}\` IN (${these})`, [
    connectionId,
    applicationId,
    ...ids,
  ])
  await tx.run(`DELETE FROM \`raw_records\` WHERE ${ofConnection} AND \`ownerId\` IN (${these})`, [
    connectionId,
    applicationId,
    ...ids.map(latestRawOwnerId),
  ])
}

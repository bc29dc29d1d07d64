import type { Kind } from '../../domain/ids.ts'
import type { NormalizedLatestRecords } from '../../providers/normalized-records.ts'
import type { LatestModel } from '../../domain/record-models.ts'
import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { latestOf } from '../../subgraphs/tables/raw-record.ts'
import { type LatestStateStore, latestStateStores } from './latest-state-store.ts'
import type { ParsedRecord } from './parse-page.ts'

/** Whoever was removed, or drives no more, is nowhere now: of them nothing is told any more. */
const GONE = {
  vehicles: 'o.`deletedAt` IS NOT NULL',
  trailers: 'o.`deletedAt` IS NOT NULL',
  drivers: "(o.`deletedAt` IS NOT NULL OR o.`status` = 'inactive')",
} as const

type Stored = LatestStateStore<NormalizedLatestRecords[LatestModel]>
type ConnectionKey = Pick<Connection, 'id' | 'applicationId'>

/** Forgets the states of those of these records that are gone. Of other kinds there are none. */
export async function purgeRemoved(
  tx: Transaction,
  kind: Kind,
  connection: ConnectionKey,
  ids: readonly string[],
): Promise<void> {
  const stored = Object.values(latestStateStores).find(({ owner }) => owner === `${kind}Id`)
  if (stored) await removedAmong(tx, stored as Stored, connection, ids)
}

/** A page without the states of those that are gone, which are forgotten where they were known before. */
export async function withoutRemoved<Draft extends NormalizedLatestRecords[LatestModel]>(
  tx: Transaction,
  stored: LatestStateStore<Draft>,
  connection: Connection,
  parsed: readonly ParsedRecord<Draft>[],
): Promise<readonly ParsedRecord<Draft>[]> {
  const idOf = ({ normalized }: ParsedRecord<Draft>) =>
    String(stored.row(connection, normalized, 0)[stored.owner])
  const gone = await removedAmong(tx, stored, connection, parsed.map(idOf))
  return gone.size === 0 ? parsed : parsed.filter((read) => !gone.has(idOf(read)))
}

async function removedAmong(
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
  const known = gone.filter((one) => one.known !== null).map(({ id }) => id)
  if (known.length > 0) await purge(tx, { table, owner }, connectionId, known)
  return new Set(gone.map(({ id }) => id))
}

async function purge(
  tx: Transaction,
  { table, owner }: Pick<LatestStateStore<never>, 'table' | 'owner'>,
  connectionId: string,
  ids: readonly string[],
): Promise<void> {
  const these = placeholders(ids.length)
  await tx.run(`DELETE FROM \`${table.name}\` WHERE \`connectionId\` = ? AND \`${owner}\` IN (${these})`, [
    connectionId,
    ...ids,
  ])
  await tx.run(`DELETE FROM \`raw_records\` WHERE \`connectionId\` = ? AND \`ownerId\` IN (${these})`, [
    connectionId,
    ...ids.map(latestOf),
  ])
}

import type { Kind } from '../ids.ts'
import type { LatestDrafts } from '../providers/drafts.ts'
import type { LatestModel } from '../models.ts'
import type { Transaction } from '../storage/database.ts'
import { placeholders } from '../storage/in-order.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { latestOf } from '../subgraphs/raw-record.ts'
import { type StoredLatest, storedLatest } from './latest.ts'
import type { Read } from './read.ts'

/** Whoever was removed, or drives no more, is nowhere now: of them nothing is told any more. */
const GONE = {
  vehicles: 'o.`deletedAt` IS NOT NULL',
  trailers: 'o.`deletedAt` IS NOT NULL',
  drivers: "(o.`deletedAt` IS NOT NULL OR o.`status` = 'inactive')",
} as const

type Stored = StoredLatest<LatestDrafts[LatestModel]>
type Whose = Pick<Connection, 'id' | 'applicationId'>

/** Forgets the states of those of these records that are gone. Of other kinds there are none. */
export async function forgetGone(
  tx: Transaction,
  kind: Kind,
  connection: Whose,
  ids: readonly string[],
): Promise<void> {
  const stored = Object.values(storedLatest).find(({ owner }) => owner === `${kind}Id`)
  if (stored) await goneOf(tx, stored as Stored, connection, ids)
}

/** A page without the states of those that are gone, which are forgotten where they were known before. */
export async function ofThosePresent<Draft extends LatestDrafts[LatestModel]>(
  tx: Transaction,
  stored: StoredLatest<Draft>,
  connection: Connection,
  reads: readonly Read<Draft>[],
): Promise<readonly Read<Draft>[]> {
  const idOf = ({ draft }: Read<Draft>) => String(stored.row(connection, draft, 0)[stored.owner])
  const gone = await goneOf(tx, stored, connection, reads.map(idOf))
  return gone.size === 0 ? reads : reads.filter((read) => !gone.has(idOf(read)))
}

async function goneOf(
  tx: Transaction,
  { table, owner, owners }: Pick<StoredLatest<never>, 'table' | 'owner' | 'owners'>,
  { id: connectionId, applicationId }: Whose,
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
  if (known.length > 0) await forget(tx, { table, owner }, connectionId, known)
  return new Set(gone.map(({ id }) => id))
}

async function forget(
  tx: Transaction,
  { table, owner }: Pick<StoredLatest<never>, 'table' | 'owner'>,
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

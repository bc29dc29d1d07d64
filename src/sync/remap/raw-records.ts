import { idPrefixes, type Kind, idTimeOf } from '../../domain/ids.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { latestRawOwnerId, RawRecord } from '../../subgraphs/tables/raw-record.ts'

export const BATCH_SIZE = 500

const table = tableOf(RawRecord)

/**
 * Reads the raw records of one kind and schema of a connection in pages. `isLatest` selects latest states, whose raw
 * records have their own owner ids. The owner ids share the time part of the connection id, so they are one range.
 */
export async function* rawRecordsOf(
  db: Rows,
  { id, applicationId }: Connection,
  { kind, isLatest = false }: { readonly kind: Kind; readonly isLatest?: boolean },
  schema: string,
): AsyncGenerator<RawRecord[]> {
  const idStart = `${idPrefixes[kind]}_${idTimeOf(id)}`
  const first = isLatest ? latestRawOwnerId(idStart) : idStart
  for (let after = first; ;) {
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`raw_records\` WHERE \`ownerId\` > ? AND \`ownerId\` < ?
        AND \`connectionId\` = ? AND \`applicationId\` = ? AND \`schemaName\` = ? ORDER BY \`ownerId\` LIMIT ${BATCH_SIZE}`,
      [after, `${first}~`, id, applicationId, schema],
    )
    if (rows.length > 0) yield rows.map(toRecord)
    if (rows.length < BATCH_SIZE) return
    after = String(rows.at(-1)?.['ownerId'])
  }
}

export async function rawRecordsOfOwners(
  db: Rows,
  { id, applicationId }: Connection,
  ownerIds: readonly string[],
): Promise<RawRecord[]> {
  if (ownerIds.length === 0) return []
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`raw_records\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
      AND \`ownerId\` IN (${placeholders(ownerIds.length)})`,
    [id, applicationId, ...ownerIds],
  )
  return rows.map(toRecord)
}

/** Reads raw records again, in their current version. */
export const refreshRawRecords = (
  db: Rows,
  connection: Connection,
  records: readonly RawRecord[],
): Promise<RawRecord[]> =>
  rawRecordsOfOwners(
    db,
    connection,
    records.map(({ ownerId }) => ownerId),
  )

function toRecord(row: Record<string, unknown>): RawRecord {
  const record = table.toRow(row)
  return { ...record, extractedAt: Number(record.extractedAt) }
}

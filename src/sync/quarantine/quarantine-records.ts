import type { SyncedModel } from '../../domain/record-models.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Instant } from '../../domain/time.ts'
import { isStorable } from '../ingest/is-storable.ts'
import { hashJson } from '../pipeline/diff-page.ts'
import { QuarantinedRecord } from './quarantined-record.ts'

/**
 * Maximum number of quarantined records per connection and model. Further unreadable records are not kept: only a later
 * sync can read them again.
 */
export const MAX_QUARANTINED = 1000
/** Maximum JSON length of a quarantined record, in characters. Longer records are not kept. */
const MAX_RECORD_LENGTH = 64 * 1024

const table = tableOf(QuarantinedRecord)

interface QuarantineInput {
  readonly connection: Connection
  readonly syncId: string
  readonly stamp: Instant
  readonly model: SyncedModel
  readonly schemaName: string
}

/** Stores the unreadable records of a page, in the transaction of the page. */
export async function quarantineRecords(
  tx: Transaction,
  input: QuarantineInput,
  raws: readonly unknown[],
): Promise<void> {
  const byHash = new Map(
    raws
      .slice(0, MAX_QUARANTINED)
      .filter((raw) => raw != null && isStorable(raw, MAX_RECORD_LENGTH))
      .map((raw) => [hashJson(raw), raw]),
  )
  if (byHash.size === 0) return
  const known = await findKnown(tx, input, [...byHash.keys()])
  const newHashes = [...byHash.keys()].filter((hash) => !known.has(hash))
  const stored = newHashes.length === 0 ? [] : newHashes.slice(0, await freeSlots(tx, input))
  await tx.upsert(
    table,
    stored.map((hash) => rowOf(input, hash, byHash.get(hash))),
  )
  await markSeen(tx, input, [...known])
}

/** Marks known records as received again. Their content is unchanged, because the hash of the content is their key. */
async function markSeen(
  tx: Transaction,
  { connection, syncId, stamp, model, schemaName }: QuarantineInput,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  await tx.run(
    `UPDATE \`left_out_records\` SET \`extractedAt\` = ?, \`seenIn\` = ?, \`schemaName\` = ?
      WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ?
        AND \`hash\` IN (${placeholders(hashes.length)})`,
    [stamp, syncId, schemaName, connection.id, model, connection.applicationId, ...hashes],
  )
}

const rowOf = (
  { connection, syncId, stamp, model, schemaName }: QuarantineInput,
  hash: string,
  data: unknown,
) => ({
  connectionId: connection.id,
  model,
  hash,
  applicationId: connection.applicationId,
  provider: connection.provider,
  schemaName,
  extractedAt: stamp,
  seenIn: syncId,
  data,
})

async function findKnown(
  db: Rows,
  { connection, model }: QuarantineInput,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ hash: string }>(
    `SELECT \`hash\` FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ?
      AND \`applicationId\` = ? AND \`hash\` IN (${placeholders(hashes.length)})`,
    [connection.id, model, connection.applicationId, ...hashes],
  )
  return new Set(rows.map(({ hash }) => hash))
}

async function freeSlots(db: Rows, { connection, model }: QuarantineInput): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    `SELECT COUNT(*) AS \`n\` FROM \`left_out_records\`
      WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ?`,
    [connection.id, model, connection.applicationId],
  )
  return Math.max(0, MAX_QUARANTINED - Number(row?.n ?? 0))
}

/** Deletes the records that a full list no longer contains: the provider no longer has them. */
export const removeUnseenQuarantined = (
  tx: Transaction,
  { connection, model, syncId }: Pick<QuarantineInput, 'connection' | 'model' | 'syncId'>,
): Promise<number> =>
  tx.run(
    `DELETE FROM \`left_out_records\`
      WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ? AND \`seenIn\` <> ?`,
    [connection.id, model, connection.applicationId, syncId],
  )

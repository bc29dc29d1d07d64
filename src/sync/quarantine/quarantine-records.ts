import type { SyncedModel } from '../../domain/record-models.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Instant } from '../../domain/time.ts'
import { hashOf } from '../pipeline/diff-page.ts'
import { QuarantinedRecord } from './quarantined-record.ts'

/** So many are kept of each model of a connection, and none that is longer. What is not kept is read anew by a sync. */
export const MAX_QUARANTINED = 1000
const MAX_RECORD_LENGTH = 64 * 1024

const table = tableOf(QuarantinedRecord)

interface QuarantineInput {
  readonly connection: Connection
  readonly syncId: string
  readonly stamp: Instant
  readonly model: SyncedModel
  readonly schemaName: string
}

/** Keeps what a page has that cannot be read, in the transaction of the page. */
export async function quarantineRecords(
  tx: Transaction,
  met: QuarantineInput,
  raws: readonly unknown[],
): Promise<void> {
  const byHash = new Map(
    raws
      .slice(0, MAX_QUARANTINED)
      .filter((raw) => raw != null && JSON.stringify(raw).length <= MAX_RECORD_LENGTH)
      .map((raw) => [hashOf(raw), raw]),
  )
  if (byHash.size === 0) return
  const known = await knownOf(tx, met, [...byHash.keys()])
  const others = [...byHash.keys()].filter((hash) => !known.has(hash))
  const fresh = others.length === 0 ? [] : others.slice(0, await roomFor(tx, met))
  await tx.upsert(
    table,
    fresh.map((hash) => rowOf(met, hash, byHash.get(hash))),
  )
  await markMet(tx, met, [...known])
}

/** Of those that are kept already only that they were met again: what they say is their hash. */
async function markMet(
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

async function knownOf(
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

async function roomFor(db: Rows, { connection, model }: QuarantineInput): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    `SELECT COUNT(*) AS \`n\` FROM \`left_out_records\`
      WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ?`,
    [connection.id, model, connection.applicationId],
  )
  return Math.max(0, MAX_QUARANTINED - Number(row?.n ?? 0))
}

/** After a full list: what it no longer has, its provider has no more. */
export const removeUnmetQuarantined = (
  tx: Transaction,
  { connection, model, syncId }: Pick<QuarantineInput, 'connection' | 'model' | 'syncId'>,
): Promise<number> =>
  tx.run(
    `DELETE FROM \`left_out_records\`
      WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ? AND \`seenIn\` <> ?`,
    [connection.id, model, connection.applicationId, syncId],
  )

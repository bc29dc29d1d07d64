import type { ParsedRecord } from '../ingest/parse-page.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { IssueCode } from '../../subgraphs/connections/issues/issue-code.ts'
import { issueIdOf, clearReadFrom } from '../../subgraphs/connections/issues/report-issue.ts'
import { QuarantinedRecord } from '../quarantine/quarantined-record.ts'
import { filterByVisibleOwners } from '../ingest/connection-filter.ts'
import type { WriteContext } from '../pipeline/write-context.ts'
import { BATCH_SIZE } from './raw-records.ts'
import {
  sortedByReceipt,
  type ReadRows,
  type MappedItem,
  mapItems,
  type RemapSource,
  type RemapTarget,
} from './source.ts'

/** Stores the records of one model that leave the quarantine. */
export interface StoreStrategy<Normalized> {
  /** Returns the records that are newer than the stored raw record with the same key, or that have no stored one. */
  newer(
    db: ReadRows,
    records: readonly MappedItem<QuarantinedRecord, Normalized>[],
  ): Promise<readonly MappedItem<QuarantinedRecord, Normalized>[]>
  /** Stores records and returns the number of written ones. */
  store(tx: Transaction, context: WriteContext, parsed: readonly ParsedRecord<Normalized>[]): Promise<number>
}

/**
 * Remap source of quarantined records. Records that the current mapping can read leave the quarantine. Those that a filter
 * of the connection hides, or whose stored raw record is as new, are not stored.
 */
export function quarantineSource<Normalized>(
  { connection }: RemapTarget,
  model: SyncedModel,
  reader: Reader<Normalized>,
  strategy: StoreStrategy<Normalized>,
): RemapSource<QuarantinedRecord> {
  const mapAll = (items: readonly QuarantinedRecord[]) => mapItems(model, [reader], sortedByReceipt(items))
  const storable = async (db: ReadRows, records: readonly MappedItem<QuarantinedRecord, Normalized>[]) => {
    const visible = new Set(await filterByVisibleOwners(db, connection, model, records))
    return strategy.newer(
      db,
      records.filter((record) => visible.has(record)),
    )
  }
  return {
    pages: (db) => quarantinePages(db, connection, model),
    reread: (tx, items) =>
      quarantinedByHash(
        tx,
        connection,
        model,
        items.map(({ hash }) => hash),
      ),
    async preview(db, items) {
      const records = mapAll(items)
      const changed = (await storable(db, records)).length
      return {
        unreadable: items.length - records.length,
        moved: 0,
        due: records.map(({ item }) => item),
        changed,
      }
    },
    async store(tx, context, items) {
      const records = mapAll(items)
      const written = await strategy.store(tx, context, await storable(tx, records))
      await removeFromQuarantine(
        tx,
        connection,
        model,
        records.map(({ item }) => item.hash),
      )
      return written
    },
  }
}

const table = tableOf(QuarantinedRecord)

async function* quarantinePages(
  db: Rows,
  { id, applicationId }: Connection,
  model: SyncedModel,
): AsyncGenerator<QuarantinedRecord[]> {
  for (let after = ''; ;) {
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ? AND \`hash\` > ?
        AND \`applicationId\` = ? ORDER BY \`hash\` LIMIT ${BATCH_SIZE}`,
      [id, model, after, applicationId],
    )
    if (rows.length > 0) yield rows.map(toRecord)
    if (rows.length < BATCH_SIZE) return
    after = String(rows.at(-1)?.['hash'])
  }
}

async function quarantinedByHash(
  db: Rows,
  { id, applicationId }: Connection,
  model: SyncedModel,
  hashes: readonly string[],
): Promise<QuarantinedRecord[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ?
      AND \`applicationId\` = ? AND \`hash\` IN (${placeholders(hashes.length)})`,
    [id, model, applicationId, ...hashes],
  )
  return rows.map(toRecord)
}

function toRecord(row: Record<string, unknown>): QuarantinedRecord {
  const record = table.toRow(row)
  return { ...record, extractedAt: Number(record.extractedAt) }
}

/** Removes records from the quarantine. Once none is left, the next sync can resolve the issue about them. */
async function removeFromQuarantine(
  tx: Transaction,
  connection: Connection,
  model: SyncedModel,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  const { id, applicationId } = connection
  await tx.run(
    `DELETE FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ?
      AND \`applicationId\` = ? AND \`hash\` IN (${placeholders(hashes.length)})`,
    [id, model, applicationId, ...hashes],
  )
  const [left] = await tx.rows(
    'SELECT 1 FROM `left_out_records` WHERE `connectionId` = ? AND `model` = ? AND `applicationId` = ? LIMIT 1',
    [id, model, applicationId],
  )
  if (left) return
  const issueId = issueIdOf({ connection, code: IssueCode.PROVIDER_SOURCE_DATA_INVALID, model })
  await clearReadFrom(tx, connection, [issueId])
}

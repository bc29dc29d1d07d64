import type { ParsedRecord } from '../ingest/parse-page.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { QuarantinedRecord } from '../quarantine/quarantined-record.ts'
import { filterByVisibleOwners } from '../ingest/connection-filter.ts'
import type { WriteContext } from '../pipeline/write-context.ts'
import { BATCH_SIZE } from './raw-records.ts'
import {
  bySentOrder,
  type ReadRows,
  type MappedItem,
  mapItems,
  type RemapSource,
  type RemapTarget,
} from './source.ts'

/** How the records of a model are stored where no record of their id was sent since. */
export interface StoreStrategy<Draft> {
  fresh(
    db: ReadRows,
    reads: readonly MappedItem<QuarantinedRecord, Draft>[],
  ): Promise<readonly MappedItem<QuarantinedRecord, Draft>[]>
  store(tx: Transaction, run: WriteContext, parsed: readonly ParsedRecord<Draft>[]): Promise<number>
}

/** What the mapping of its time could not read. What the present one can read is stored and no longer left out. */
export function quarantineSource<Draft>(
  { connection }: RemapTarget,
  model: SyncedModel,
  reader: Reader<Draft>,
  storing: StoreStrategy<Draft>,
): RemapSource<QuarantinedRecord> {
  const mapped = (items: readonly QuarantinedRecord[]) => mapItems(model, [reader], bySentOrder(items))
  const wanted = async (db: ReadRows, reads: readonly MappedItem<QuarantinedRecord, Draft>[]) => {
    const shown = new Set(await filterByVisibleOwners(db, connection, model, reads))
    return storing.fresh(
      db,
      reads.filter((read) => shown.has(read)),
    )
  }
  return {
    pages: (db) => quarantinedOf(db, connection, model),
    reread: (tx, items) =>
      quarantinedWith(
        tx,
        connection,
        model,
        items.map(({ hash }) => hash),
      ),
    async preview(db, items) {
      const reads = mapped(items)
      const changed = (await wanted(db, reads)).length
      return {
        unreadable: items.length - reads.length,
        moved: 0,
        due: reads.map(({ item }) => item),
        changed,
      }
    },
    async store(tx, run, items) {
      const reads = mapped(items)
      const written = await storing.store(tx, run, await wanted(tx, reads))
      await removeFromQuarantine(
        tx,
        connection,
        model,
        reads.map(({ item }) => item.hash),
      )
      return written
    },
  }
}

const table = tableOf(QuarantinedRecord)

async function* quarantinedOf(
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

async function quarantinedWith(
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

async function removeFromQuarantine(
  tx: Transaction,
  { id, applicationId }: Connection,
  model: SyncedModel,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  await tx.run(
    `DELETE FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ?
      AND \`applicationId\` = ? AND \`hash\` IN (${placeholders(hashes.length)})`,
    [id, model, applicationId, ...hashes],
  )
}

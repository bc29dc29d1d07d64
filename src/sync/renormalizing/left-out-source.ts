import type { Read } from '../../intake/read.ts'
import type { SyncedModel } from '../../models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/in-order.ts'
import { tableOf } from '../../storage/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { LeftOutRecord } from '../left-out/left-out-record.ts'
import { ofShownOwners } from '../../intake/shown-owners.ts'
import type { Run } from '../reading/upsert.ts'
import { AT_ONCE } from './raw-records.ts'
import { inTheirOrder, type Looked, type Mapped, mappedBy, type Source, type Whose } from './source.ts'

/** How the records of a model are stored where no record of their id was sent since. */
export interface Storing<Draft> {
  fresh(
    db: Looked,
    reads: readonly Mapped<LeftOutRecord, Draft>[],
  ): Promise<readonly Mapped<LeftOutRecord, Draft>[]>
  store(tx: Transaction, run: Run, reads: readonly Read<Draft>[]): Promise<number>
}

/** What the mapping of its time could not read. What the present one can read is stored and no longer left out. */
export function leftOutSource<Draft>(
  { connection }: Whose,
  model: SyncedModel,
  reader: Reader<Draft>,
  storing: Storing<Draft>,
): Source<LeftOutRecord> {
  const mapped = (items: readonly LeftOutRecord[]) => mappedBy([reader], inTheirOrder(items))
  const wanted = async (db: Looked, reads: readonly Mapped<LeftOutRecord, Draft>[]) => {
    const shown = new Set(await ofShownOwners(db, connection, model, reads))
    return storing.fresh(
      db,
      reads.filter((read) => shown.has(read)),
    )
  }
  return {
    pages: (db) => leftOutOf(db, connection, model),
    again: (tx, items) =>
      leftOutWith(
        tx,
        connection,
        model,
        items.map(({ hash }) => hash),
      ),
    async look(db, items) {
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
      await forget(
        tx,
        connection,
        model,
        reads.map(({ item }) => item.hash),
      )
      return written
    },
  }
}

const table = tableOf(LeftOutRecord)

async function* leftOutOf(
  db: Rows,
  { id, applicationId }: Connection,
  model: SyncedModel,
): AsyncGenerator<LeftOutRecord[]> {
  for (let after = ''; ;) {
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ? AND \`hash\` > ?
        AND \`applicationId\` = ? ORDER BY \`hash\` LIMIT ${AT_ONCE}`,
      [id, model, after, applicationId],
    )
    if (rows.length > 0) yield rows.map(toRecord)
    if (rows.length < AT_ONCE) return
    after = String(rows.at(-1)?.['hash'])
  }
}

async function leftOutWith(
  db: Rows,
  { id, applicationId }: Connection,
  model: SyncedModel,
  hashes: readonly string[],
): Promise<LeftOutRecord[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`left_out_records\` WHERE \`connectionId\` = ? AND \`model\` = ?
      AND \`applicationId\` = ? AND \`hash\` IN (${placeholders(hashes.length)})`,
    [id, model, applicationId, ...hashes],
  )
  return rows.map(toRecord)
}

function toRecord(row: Record<string, unknown>): LeftOutRecord {
  const record = table.toRow(row)
  return { ...record, extractedAt: Number(record.extractedAt) }
}

async function forget(
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

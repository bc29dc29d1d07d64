import { purgeRemoved } from '../ingest/latest/purge-removed.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'
import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { RawRecord } from '../../subgraphs/tables/raw-record.ts'
import { diffPage, type PageDiff } from './diff-page.ts'
import type { NormalizedRecord, StoredModel } from './stored-models.ts'
import type { WriteContext } from './write-context.ts'

/** Result of storing a page: its changes, the ids of all its records, and the number of written rows. */
interface UpsertResult extends Pick<PageDiff, 'changes' | 'ids' | 'clashes'> {
  readonly written: number
}

/**
 * Stores a page. New and different records are changes. Unchanged records are skipped, so storing a page twice has no
 * further effect. With `marksSeen`, unchanged records are also marked as seen by the sync.
 */
export async function upsert<Normalized extends NormalizedRecord>(
  tx: Transaction,
  model: StoredModel<Normalized>,
  context: WriteContext,
  schema: string,
  parsed: readonly ParsedRecord<Normalized>[],
  { marksSeen }: { readonly marksSeen: boolean },
): Promise<UpsertResult> {
  const { ids, unchanged, changes, clashes, written, rawRecords } = await diffPage(
    tx,
    model,
    context,
    schema,
    parsed,
  )
  await tx.upsert(model.table, written)
  await tx.upsert(tableOf(RawRecord), rawRecords)
  await purgeRemoved(
    tx,
    model.kind,
    context.connection,
    written.map(({ id }) => id),
  )
  if (marksSeen && context.syncId !== null)
    await markSeen(tx, model.table.name, context.connection, context.syncId, unchanged)
  return { changes, ids, clashes, written: written.length }
}

async function markSeen(
  tx: Transaction,
  table: string,
  { id: connectionId, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
  syncId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(
    `UPDATE \`${table}\` SET \`seenIn\` = ?
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [syncId, connectionId, applicationId, ...ids],
  )
}

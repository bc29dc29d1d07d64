import type { Id } from '../../ids.ts'
import { forgetGone } from '../../intake/forget-gone.ts'
import type { Read } from '../../intake/read.ts'
import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/in-order.ts'
import { tableOf } from '../../storage/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { RawRecord } from '../../subgraphs/raw-record.ts'
import type { Sourced } from '../../subgraphs/sourced.ts'
import type { Instant } from '../../time.ts'
import { differencesOf, type SourcedDraft } from './differences.ts'
import type { ChangeKind, StoredModel } from './stored-models.ts'

export interface Change {
  readonly kind: ChangeKind
  readonly row: Sourced
}

export interface Run {
  readonly connection: Connection
  /** Null where no sync has seen what is written. */
  readonly syncId: Id<'sync'> | null
  /** The connection's clock in this transaction: later than every stamp before. */
  readonly stamp: Instant
}

/** What a page has stored: its changes, the ids of all its records, and how many of them were written. */
interface Stored {
  readonly changes: readonly Change[]
  readonly ids: readonly string[]
  readonly written: number
}

/**
 * Stores a page. A record that is new or says something else is a change; one that says the same is left alone, or
 * only marked as seen, so a page can be written again and changes nothing.
 */
export async function upsert<Draft extends SourcedDraft>(
  tx: Transaction,
  model: StoredModel<Draft>,
  run: Run,
  schema: string,
  reads: readonly Read<Draft>[],
  { marks }: { readonly marks: boolean },
): Promise<Stored> {
  const { ids, same, changes, written, raws } = await differencesOf(tx, model, run, schema, reads)
  await tx.upsert(model.table, written)
  await tx.upsert(tableOf(RawRecord), raws)
  await forgetGone(
    tx,
    model.kind,
    run.connection,
    written.map(({ id }) => id),
  )
  if (marks && run.syncId !== null) await markSeen(tx, model.table.name, run.connection.id, run.syncId, same)
  return { changes, ids, written: written.length }
}

async function markSeen(
  tx: Transaction,
  table: string,
  connectionId: string,
  syncId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(
    `UPDATE \`${table}\` SET \`seenIn\` = ? WHERE \`connectionId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [syncId, connectionId, ...ids],
  )
}

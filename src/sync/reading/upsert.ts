import { createHash } from 'node:crypto'
import type { Id } from '../../ids.ts'
import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/in-order.ts'
import { tableOf } from '../../storage/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { RawRecord } from '../../subgraphs/raw-record.ts'
import type { Sourced } from '../../subgraphs/sourced.ts'
import type { Instant } from '../../time.ts'
import { type ChangeKind, referring, type StoredModel } from './stored-models.ts'

interface SourcedDraft {
  readonly sourceId: string
  readonly deletedAt?: Instant | null
}

/** A record of a page: what the provider sent and what it says in our words. */
export interface Read<Draft> {
  readonly draft: Draft
  readonly raw: unknown
}

export interface Change {
  readonly kind: ChangeKind
  readonly row: Sourced
}

export interface Run {
  readonly connection: Connection
  readonly syncId: Id<'sync'>
  /** The connection's clock in this transaction: later than every stamp before. */
  readonly stamp: Instant
}

interface Known extends Pick<
  Sourced,
  'id' | 'contentHash' | 'rawHash' | 'addedAt' | 'modifiedAt' | 'deletedAt'
> {}

/** What a page has stored: its changes, and the ids of all its records. */
interface Stored {
  readonly changes: Change[]
  readonly ids: string[]
}

/**
 * Stores a page. A record that is new or says something else is a change; one that says the same is left alone, or
 * only marked as seen, so a page can be written again and changes nothing.
 */
export async function upsert<Draft extends SourcedDraft>(
  tx: Transaction,
  model: StoredModel<Draft>,
  { connection, syncId, stamp }: Run,
  schema: string,
  reads: readonly Read<Draft>[],
  { marks }: { readonly marks: boolean },
): Promise<Stored> {
  const refer = referring(connection.id)
  const byId = new Map(reads.map((read) => [String(refer(model.kind, read.draft.sourceId)), read]))
  const known = await knownRows(tx, model.table.name, connection.id, [...byId.keys()])
  const changes: Change[] = []
  const written: Sourced[] = []
  const raws: RawRecord[] = []
  const same: string[] = []
  for (const [id, { draft, raw }] of byId) {
    const content = fitting(model.content(draft, refer), model.table.lengths)
    const contentHash = hashOf(content)
    const rawHash = hashOf(raw)
    const before = known.get(id)
    const isDeleted = draft.deletedAt != null
    const kind = changeOf(before, contentHash, isDeleted)
    if (kind === null && before?.rawHash === rawHash) {
      same.push(id)
      continue
    }
    const row = {
      id,
      applicationId: connection.applicationId,
      connectionId: connection.id,
      sourceId: draft.sourceId.slice(0, model.table.lengths.get('sourceId')),
      provider: connection.provider,
      ...content,
      addedAt: Number(before?.addedAt ?? stamp),
      modifiedAt: kind === null ? Number(before?.modifiedAt ?? stamp) : stamp,
      deletedAt: isDeleted ? Number(before?.deletedAt ?? stamp) : null,
      contentHash,
      rawHash,
      seenIn: syncId,
    } as Sourced
    written.push(row)
    raws.push(rawRecord(row, schema, raw, stamp))
    if (kind !== null && (before || !isDeleted)) changes.push({ kind, row })
  }
  await tx.upsert(model.table, written)
  await tx.upsert(tableOf(RawRecord), raws)
  if (marks) await markSeen(tx, model.table.name, connection.id, syncId, same)
  return { changes, ids: [...byId.keys()] }
}

/** Text that is longer than its column is cut; the whole of it stays in the raw record. */
function fitting(
  content: Readonly<Record<string, unknown>>,
  lengths: ReadonlyMap<string, number>,
): Readonly<Record<string, unknown>> {
  const cut: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(content)) {
    const most = lengths.get(column)
    cut[column] = typeof value === 'string' && most !== undefined ? value.slice(0, most) : value
  }
  return cut
}

/** A record that is met as deleted was never added; it is stored, and nobody is told. */
function changeOf(before: Known | undefined, contentHash: string, isDeleted: boolean): ChangeKind | null {
  if (isDeleted) return !before || before.deletedAt === null ? 'removed' : null
  if (!before || before.deletedAt !== null) return 'added'
  return before.contentHash === contentHash ? null : 'modified'
}

async function knownRows(tx: Transaction, table: string, connectionId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Known>()
  const rows = await tx.rows<Known>(
    `SELECT \`id\`, \`contentHash\`, \`rawHash\`, \`addedAt\`, \`modifiedAt\`, \`deletedAt\` FROM \`${table}\`
      WHERE \`connectionId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [connectionId, ...ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
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

const rawRecord = (row: Sourced, schemaName: string, data: unknown, extractedAt: Instant): RawRecord => ({
  ownerId: row.id,
  applicationId: row.applicationId,
  connectionId: row.connectionId,
  provider: row.provider,
  schemaName,
  extractedAt,
  data,
})

/** 128 bits over the JSON of a value; the mapping makes its members in one order. */
const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

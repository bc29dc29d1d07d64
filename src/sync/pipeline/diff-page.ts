import { createHash } from 'node:crypto'
import type { ParsedRecord, SentRecord } from '../ingest/parse-page.ts'
import { idResolverFor } from '../ingest/resolve-ids.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { RawRecord } from '../../subgraphs/tables/raw-record.ts'
import type { ProviderRecord } from '../../subgraphs/tables/provider-record.ts'
import type { Instant } from '../../domain/time.ts'
import type { ChangeKind, StoredModel } from './stored-models.ts'
import type { WriteContext } from './write-context.ts'

export interface NormalizedRecord {
  readonly sourceId: string
  readonly deletedAt?: Instant | null
}

interface Known extends Pick<
  ProviderRecord,
  'id' | 'contentHash' | 'rawHash' | 'addedAt' | 'modifiedAt' | 'deletedAt' | 'seenIn'
> {}

/** How a page differs from what is stored. */
interface PageDiff {
  readonly ids: readonly string[]
  /** Those of the records that say the same. */
  readonly same: readonly string[]
  readonly changes: readonly Change[]
  /** The rows and raw records that are to be written. */
  readonly written: readonly ProviderRecord[]
  readonly raws: readonly RawRecord[]
}

/** What is to be written so that a page is stored; the reading of it alone changes nothing. */
export async function diffPage<Draft extends NormalizedRecord>(
  db: Rows,
  model: StoredModel<Draft>,
  context: WriteContext,
  schema: string,
  parsed: readonly ParsedRecord<Draft>[],
): Promise<PageDiff> {
  const { connection, stamp } = context
  const refer = idResolverFor(connection.id)
  const byId = new Map(parsed.map((read) => [String(refer(model.kind, read.normalized.sourceId)), read]))
  const known = await knownRows(db, model.table.name, connection.id, [...byId.keys()])
  const found = { changes: [] as Change[], written: [] as ProviderRecord[], raws: [] as RawRecord[] }
  const same: string[] = []
  for (const [id, { normalized, raw, sent = { schemaName: schema, extractedAt: stamp } }] of byId) {
    const content = fitting(model.content(normalized, refer), model.table.lengths)
    const hashes = { contentHash: hashOf(content), rawHash: hashOf(raw) }
    const before = known.get(id)
    const isDeleted = normalized.deletedAt != null || isGoneSince(before, sent)
    const kind = changeOf(before, hashes.contentHash, isDeleted)
    if (kind === null && before && isSameContent(before, hashes)) {
      same.push(id)
      continue
    }
    const sourceId = cutText(normalized.sourceId, model.table.lengths.get('sourceId') ?? Infinity)
    const row = {
      id,
      sourceId,
      ...content,
      ...lifeOf(before, context, { kind, isDeleted }),
      ...hashes,
    } as ProviderRecord
    found.written.push(row)
    found.raws.push(rawRecord(row, sent, raw))
    if (kind !== null && (before || !isDeleted)) found.changes.push({ kind, row })
  }
  return { ...found, ids: [...byId.keys()], same }
}

const isSameContent = (
  before: Known,
  { contentHash, rawHash }: Pick<ProviderRecord, 'contentHash' | 'rawHash'>,
) => before.contentHash === contentHash && before.rawHash === rawHash

/** What a list no longer showed after this was sent stays gone, whatever this says. */
const isGoneSince = (before: Known | undefined, { extractedAt }: SentRecord): boolean =>
  before !== undefined && before.deletedAt !== null && Number(before.deletedAt) > extractedAt

/** Whose a row is, and since when it is what. */
const lifeOf = (
  before: Known | undefined,
  { connection, syncId, stamp }: WriteContext,
  { kind, isDeleted }: { readonly kind: ChangeKind | null; readonly isDeleted: boolean },
) => ({
  applicationId: connection.applicationId,
  connectionId: connection.id,
  provider: connection.provider,
  addedAt: Number(before?.addedAt ?? stamp),
  modifiedAt: kind === null ? Number(before?.modifiedAt ?? stamp) : stamp,
  deletedAt: isDeleted ? Number(before?.deletedAt ?? stamp) : null,
  seenIn: syncId ?? before?.seenIn ?? null,
})

/** Cuts texts that are longer than their column, between characters. The raw record has the whole text. */
function fitting(
  content: Readonly<Record<string, unknown>>,
  lengths: ReadonlyMap<string, number>,
): Readonly<Record<string, unknown>> {
  const cut: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(content)) {
    const maxLength = lengths.get(column)
    cut[column] = typeof value === 'string' && maxLength !== undefined ? cutText(value, maxLength) : value
  }
  return cut
}

/** A column counts code points; a slice of UTF-16 units could end within one. */
const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : Array.from(text).slice(0, maxLength).join('')

/** A record that is met as deleted was never added; it is stored, and nobody is told. */
function changeOf(before: Known | undefined, contentHash: string, isDeleted: boolean): ChangeKind | null {
  if (isDeleted) return !before || before.deletedAt === null ? 'removed' : null
  if (!before || before.deletedAt !== null) return 'added'
  return before.contentHash === contentHash ? null : 'modified'
}

async function knownRows(db: Rows, table: string, connectionId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Known>()
  const rows = await db.rows<Known>(
    `SELECT \`id\`, \`contentHash\`, \`rawHash\`, \`addedAt\`, \`modifiedAt\`, \`deletedAt\`, \`seenIn\` FROM \`${table}\`
      WHERE \`connectionId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [connectionId, ...ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const rawRecord = (row: ProviderRecord, sent: SentRecord, data: unknown): RawRecord => ({
  ownerId: row.id,
  applicationId: row.applicationId,
  connectionId: row.connectionId,
  provider: row.provider,
  ...sent,
  data,
})

/** 128 bits over the JSON of a value; the mapping makes its members in one order. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
export interface Change {
  readonly kind: ChangeKind
  readonly row: ProviderRecord
}

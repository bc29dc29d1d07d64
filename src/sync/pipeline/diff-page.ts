import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ParsedRecord, RecordOrigin } from '../ingest/parse-page.ts'
import { idResolverFor } from '../ingest/resolve-ids.ts'
import { truncateTexts } from '../ingest/truncate-texts.ts'
import type { Rows } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { RawRecord } from '../../subgraphs/tables/raw-record.ts'
import { filteredOwners } from '../../subgraphs/tables/filtered-connection.ts'
import type { ProviderRecord } from '../../subgraphs/tables/provider-record.ts'
import type { ChangeKind, NormalizedRecord, StoredModel } from './stored-models.ts'
import type { WriteContext } from './write-context.ts'

interface KnownRow extends Pick<
  ProviderRecord,
  'id' | 'contentHash' | 'rawHash' | 'addedAt' | 'modifiedAt' | 'deletedAt' | 'seenIn'
> {
  /** Status of a vehicle or driver. */
  readonly status?: string
}

/** Difference between a page and the stored rows. */
export interface PageDiff {
  /** Ids of all records of the page. */
  readonly ids: readonly string[]
  /** Ids of the unchanged records. */
  readonly unchanged: readonly string[]
  /** Changes that events can report. */
  readonly changes: readonly Change[]
  /** Number of records that a later, different record of the page with the same id replaces. */
  readonly clashes: number
  /** Rows and raw records to write. */
  readonly written: readonly ProviderRecord[]
  readonly rawRecords: readonly RawRecord[]
}

/** Computes the writes that store a page. It only reads from the database. */
export async function diffPage<Normalized extends NormalizedRecord>(
  db: Rows,
  model: StoredModel<Normalized>,
  context: WriteContext,
  schema: string,
  parsed: readonly ParsedRecord<Normalized>[],
): Promise<PageDiff> {
  const { connection, stamp } = context
  const resolveId = idResolverFor(connection.id)
  const byId = new Map<string, ParsedRecord<Normalized>>()
  let clashes = 0
  for (const record of parsed) {
    const id = String(resolveId(model.kind, record.normalized.sourceId))
    const earlier = byId.get(id)
    if (earlier && !isDeepStrictEqual(earlier.raw, record.raw)) clashes += 1
    byId.set(id, record)
  }
  const known = await knownRows(db, model, connection, [...byId.keys()])
  const diff = { changes: [] as Change[], written: [] as ProviderRecord[], rawRecords: [] as RawRecord[] }
  const unchanged: string[] = []
  for (const [id, { normalized, raw, origin = { schemaName: schema, extractedAt: stamp } }] of byId) {
    const { sourceId, ...content } = truncateTexts(
      { sourceId: normalized.sourceId, ...model.columns(normalized, resolveId) },
      model.table.lengths,
    )
    const hashes = { contentHash: hashJson(content), rawHash: hashJson(raw) }
    const before = known.get(id)
    const isDeleted = normalized.deletedAt != null || isRemovedSince(before, origin)
    const kind = changeOf(before, hashes.contentHash, isDeleted)
    if (kind === null && before && isSameContent(before, hashes)) {
      unchanged.push(id)
      continue
    }
    const row = {
      id,
      sourceId,
      ...content,
      ...lifecycleOf(before, context, { kind, isDeleted }),
      ...hashes,
    } as ProviderRecord
    diff.written.push(row)
    diff.rawRecords.push(rawRecord(row, origin, raw))
    if (kind !== null && (before || !isDeleted)) diff.changes.push({ kind, row, before })
  }
  return { ...diff, ids: [...byId.keys()], unchanged, clashes }
}

const isSameContent = (
  before: KnownRow,
  { contentHash, rawHash }: Pick<ProviderRecord, 'contentHash' | 'rawHash'>,
) => before.contentHash === contentHash && before.rawHash === rawHash

/** Whether the record was tombstoned after its content was sent. Such older content does not restore the record. */
const isRemovedSince = (before: KnownRow | undefined, { extractedAt }: RecordOrigin): boolean =>
  before !== undefined && before.deletedAt !== null && Number(before.deletedAt) > extractedAt

/** Returns the tenant and lifecycle columns of a row. */
const lifecycleOf = (
  before: KnownRow | undefined,
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

/**
 * Returns the kind of the change, or null if nothing changed. A record that arrives already deleted is
 * stored, but its removal has no event.
 */
function changeOf(before: KnownRow | undefined, contentHash: string, isDeleted: boolean): ChangeKind | null {
  if (isDeleted) return !before || before.deletedAt === null ? 'removed' : null
  if (!before || before.deletedAt !== null) return 'added'
  return before.contentHash === contentHash ? null : 'modified'
}

async function knownRows(
  db: Rows,
  { kind, table }: Pick<StoredModel<never>, 'kind' | 'table'>,
  { id: connectionId, applicationId }: WriteContext['connection'],
  ids: readonly string[],
) {
  if (ids.length === 0) return new Map<string, KnownRow>()
  const status = kind in filteredOwners ? '`status`, ' : ''
  const rows = await db.rows<KnownRow>(
    `SELECT ${status}\`id\`, \`contentHash\`, \`rawHash\`, \`addedAt\`, \`modifiedAt\`, \`deletedAt\`, \`seenIn\` FROM \`${table.name}\`
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` IN (${placeholders(ids.length)})`,
    [connectionId, applicationId, ...ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const rawRecord = (row: ProviderRecord, origin: RecordOrigin, data: unknown): RawRecord => ({
  ownerId: row.id,
  applicationId: row.applicationId,
  connectionId: row.connectionId,
  provider: row.provider,
  ...origin,
  data,
})

/**
 * Hash of the JSON of a value, about 128 bits. The mapping creates members in a fixed order, so hashes are
 * comparable.
 */
export const hashJson = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

/** Change of a row that an event can report. */
export interface Change {
  readonly kind: ChangeKind
  readonly row: ProviderRecord
  /** The stored row before the change. It has a status if it is a vehicle or driver. */
  readonly before?: (Pick<ProviderRecord, 'modifiedAt'> & { readonly status?: string }) | undefined
}

import { idResolverFor } from '../ingest/resolve-ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { RawRecord } from '../../subgraphs/tables/raw-record.ts'
import { emitChangeEvents } from '../pipeline/emit-change-events.ts'
import { diffPage, type NormalizedRecord } from '../pipeline/diff-page.ts'
import type { StoredModel } from '../pipeline/stored-models.ts'
import { upsert } from '../pipeline/upsert.ts'
import type { WriteContext } from '../pipeline/write-context.ts'
import { refreshRawRecords, rawRecordsOf, rawRecordsWith } from './raw-records.ts'
import type { StoreStrategy } from './quarantine-source.ts'
import { mapItems, type RemapSource, type RemapTarget } from './source.ts'

type Stored = StoredModel<NormalizedRecord>

/** The records of a model that is stored row by row. */
export function rowSource(
  whose: RemapTarget,
  model: SyncedModel,
  stored: Stored,
  reader: Reader<NormalizedRecord>,
): RemapSource<RawRecord> {
  const { connection } = whose
  const idOf = idsIn(whose, stored)
  const mapped = (items: readonly RawRecord[]) => {
    const reads = mapItems(model, [reader], items)
    return { reads, stayed: reads.filter((read) => idOf(read) === read.item.ownerId) }
  }
  return {
    pages: (db) => rawRecordsOf(db, connection, stored, reader.schema),
    reread: (tx, items) => refreshRawRecords(tx, connection, items),
    async preview(db, items) {
      const { reads, stayed } = mapped(items)
      const unwritten: WriteContext = { connection, syncId: null, stamp: 0 }
      const { written } = await diffPage(db, stored, unwritten, reader.schema, stayed)
      const differing = new Set(written.map(({ id }) => id))
      return {
        unreadable: items.length - reads.length,
        moved: reads.length - stayed.length,
        due: items.filter(({ ownerId }) => differing.has(ownerId)),
        changed: differing.size,
      }
    },
    store: (tx, run, items) => rowStoreStrategy(whose, stored, reader).store(tx, run, mapped(items).stayed),
  }
}

/** What a sync does with the records of a page. */
export function rowStoreStrategy(
  whose: RemapTarget,
  stored: Stored,
  { schema }: Pick<Reader<NormalizedRecord>, 'schema'>,
): StoreStrategy<NormalizedRecord> {
  const idOf = idsIn(whose, stored)
  return {
    async fresh(db, reads) {
      const there = await rawRecordsWith(db, whose.connection, reads.map(idOf))
      const sentAt = new Map(there.map(({ ownerId, extractedAt }) => [ownerId, extractedAt]))
      return reads.filter((read) => (sentAt.get(idOf(read)) ?? 0) < read.item.extractedAt)
    },
    async store(tx, run, parsed) {
      const { changes, written } = await upsert(tx, stored, run, schema, parsed, { marks: false })
      await emitChangeEvents(tx, stored, run, whose.providerName, changes)
      return written
    },
  }
}

function idsIn({ connection }: RemapTarget, { kind }: Stored) {
  const refer = idResolverFor(connection.id)
  return ({ normalized }: { readonly normalized: NormalizedRecord }): string =>
    String(refer(kind, normalized.sourceId))
}

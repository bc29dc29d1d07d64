import { idResolverFor } from '../ingest/resolve-ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { RawRecord } from '../../subgraphs/tables/raw-record.ts'
import { emitChangeEvents } from '../pipeline/events/emit-change-events.ts'
import { diffPage } from '../pipeline/diff-page.ts'
import type { NormalizedRecord, StoredModel } from '../pipeline/stored-models.ts'
import { upsert } from '../pipeline/upsert.ts'
import type { WriteContext } from '../pipeline/write-context.ts'
import { refreshRawRecords, rawRecordsOf, rawRecordsOfOwners } from './raw-records.ts'
import type { StoreStrategy } from './quarantine-source.ts'
import { mapItems, type RemapSource, type RemapTarget } from './source.ts'

type AnyStoredModel = StoredModel<NormalizedRecord>

/** Remap source of the raw records of a row model. */
export function rowSource(
  target: RemapTarget,
  model: SyncedModel,
  storedModel: AnyStoredModel,
  reader: Reader<NormalizedRecord>,
): RemapSource<RawRecord> {
  const { connection } = target
  const idOf = recordIdOf(target, storedModel)
  const mapAll = (items: readonly RawRecord[]) => {
    const records = mapItems(model, [reader], items)
    return { records, unmoved: records.filter((record) => idOf(record) === record.item.ownerId) }
  }
  return {
    pages: (db) => rawRecordsOf(db, connection, storedModel, reader.schema),
    reread: (tx, items) => refreshRawRecords(tx, connection, items),
    async preview(db, items) {
      const { records, unmoved } = mapAll(items)
      const previewContext: WriteContext = { connection, syncId: null, stamp: 0 }
      const { written } = await diffPage(db, storedModel, previewContext, reader.schema, unmoved)
      const differing = new Set(written.map(({ id }) => id))
      return {
        unreadable: items.length - records.length,
        moved: records.length - unmoved.length,
        due: items.filter(({ ownerId }) => differing.has(ownerId)),
        changed: differing.size,
      }
    },
    store: (tx, context, items) =>
      rowStoreStrategy(target, storedModel, reader).store(tx, context, mapAll(items).unmoved),
  }
}

/** Returns the strategy that stores quarantined records as rows, like a sync. */
export function rowStoreStrategy(
  target: RemapTarget,
  storedModel: AnyStoredModel,
  { schema }: Pick<Reader<NormalizedRecord>, 'schema'>,
): StoreStrategy<NormalizedRecord> {
  const idOf = recordIdOf(target, storedModel)
  return {
    async newer(db, records) {
      const raws = await rawRecordsOfOwners(db, target.connection, records.map(idOf))
      const sentAt = new Map(raws.map(({ ownerId, extractedAt }) => [ownerId, extractedAt]))
      return records.filter((record) => (sentAt.get(idOf(record)) ?? 0) < record.item.extractedAt)
    },
    async store(tx, context, parsed) {
      const { changes, written } = await upsert(tx, storedModel, context, schema, parsed, {
        marksSeen: false,
      })
      await emitChangeEvents(tx, storedModel, context, target.providerName, changes)
      return written
    },
  }
}

function recordIdOf({ connection }: RemapTarget, { kind }: AnyStoredModel) {
  const resolveId = idResolverFor(connection.id)
  return ({ normalized }: { readonly normalized: NormalizedRecord }): string =>
    String(resolveId(kind, normalized.sourceId))
}

import type { LatestModel, NormalizedLatestRecords } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import { latestRawOwnerId, type RawRecord } from '../../subgraphs/tables/raw-record.ts'
import type { Instant } from '../../domain/time.ts'
import {
  findKnownStates,
  type Row,
  type LatestStateStore,
  latestStateStores,
  mergeWithKnown,
} from '../ingest/latest/latest-state-store.ts'
import { hiddenOwners } from '../ingest/connection-filter.ts'
import { isSameContent } from '../ingest/time-series-store.ts'
import { refreshRawRecords, rawRecordsOf } from './raw-records.ts'
import { mapItems, type RemapSource, type RemapTarget } from './source.ts'

/** Remap source of latest states. Storing them emits no events, because only the mapping has changed, not the fleet. */
export function latestSource(
  { connection }: RemapTarget,
  model: LatestModel,
  reader: Reader<NormalizedLatestRecords[LatestModel]>,
): RemapSource<RawRecord> {
  const store = latestStateStores[model] as LatestStateStore<NormalizedLatestRecords[LatestModel]>
  const { table, kind, ownerColumn } = store

  /**
   * Maps the records again and returns those whose state differs from the known one. Skips records that now map to
   * another owner.
   */
  async function differing(db: Rows, items: readonly RawRecord[], stamp: Instant) {
    const records = mapItems(model, [reader], items)
    const ownerOf = (row: Row) => String(row[ownerColumn])
    const mapped = records
      .map(({ normalized, item }) => ({ item, row: store.row(connection, normalized, stamp) }))
      .filter(({ item, row }) => latestRawOwnerId(ownerOf(row)) === item.ownerId)
    // A stored state is sent to subscribers, and those of hidden vehicles must not be.
    const hidden = await hiddenOwners(
      db,
      connection,
      kind,
      mapped.map(({ row }) => ownerOf(row)),
    )
    const all = mapped.filter(({ row }) => !hidden.has(ownerOf(row)))
    const known = await findKnownStates(
      db,
      store,
      connection,
      all.map(({ row }) => ownerOf(row)),
    )
    const due = all
      .map(({ item, row }) => ({ item, row: mergeWithKnown(store, row, known.get(ownerOf(row)) ?? row) }))
      .filter(({ row }) => !isSameContent(table, row, known.get(ownerOf(row))))
    return { due, unreadable: items.length - records.length, moved: records.length - mapped.length }
  }

  return {
    pages: (db) => rawRecordsOf(db, connection, { kind, isLatest: true }, reader.schema),
    reread: (tx, items) => refreshRawRecords(tx, connection, items),
    async preview(db, items) {
      const { due, unreadable, moved } = await differing(db, items, 0)
      return { unreadable, moved, due: due.map(({ item }) => item), changed: due.length }
    },
    async store(tx, { stamp }, items) {
      const { due } = await differing(tx, items, stamp)
      await tx.upsert(
        table,
        due.map(({ row }) => row),
      )
      return due.length
    },
  }
}

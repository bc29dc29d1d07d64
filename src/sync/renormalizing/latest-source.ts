import type { LatestModel } from '../../models.ts'
import type { LatestDrafts } from '../../providers/drafts.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import { latestOf, type RawRecord } from '../../subgraphs/raw-record.ts'
import type { Instant } from '../../time.ts'
import { knownStates, type Row, type StoredLatest, storedLatest, withKept } from '../../intake/latest.ts'
import { saysTheSame } from '../../intake/series.ts'
import { rawRecordsAgain, rawRecordsOf } from './raw-records.ts'
import { mappedBy, type Source, type Whose } from './source.ts'

/** The states of now. Nobody is told: events tell of what a vehicle does, and it did not do it again. */
export function latestSource(
  { connection }: Whose,
  model: LatestModel,
  reader: Reader<LatestDrafts[LatestModel]>,
): Source<RawRecord> {
  const stored = storedLatest[model] as StoredLatest<LatestDrafts[LatestModel]>
  const { table, kind, owner } = stored

  /** The states that say something else by now. */
  async function differing(db: Rows, items: readonly RawRecord[], stamp: Instant) {
    const reads = mappedBy([reader], items)
    const ownerOf = (row: Row) => String(row[owner])
    const all = reads
      .map(({ draft, item }) => ({ item, row: stored.row(connection, draft, stamp) }))
      .filter(({ item, row }) => latestOf(ownerOf(row)) === item.ownerId)
    const known = await knownStates(
      db,
      stored,
      connection.id,
      all.map(({ row }) => ownerOf(row)),
    )
    const due = all
      .map(({ item, row }) => ({ item, row: withKept(stored, row, known.get(ownerOf(row)) ?? row) }))
      .filter(({ row }) => !saysTheSame(table, row, known.get(ownerOf(row))))
    return { due, unreadable: items.length - reads.length, moved: reads.length - all.length }
  }

  return {
    pages: (db) => rawRecordsOf(db, connection, { kind, isLatest: true }, reader.schema),
    again: (tx, items) => rawRecordsAgain(tx, connection, items),
    async look(db, items) {
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

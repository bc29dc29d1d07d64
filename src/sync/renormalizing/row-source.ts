import { referring } from '../../intake/refer.ts'
import type { Reader } from '../../providers/provider.ts'
import type { RawRecord } from '../../subgraphs/raw-record.ts'
import { announceChanges } from '../reading/changes.ts'
import { differencesOf, type SourcedDraft } from '../reading/differences.ts'
import type { StoredModel } from '../reading/stored-models.ts'
import { type Run, upsert } from '../reading/upsert.ts'
import { rawRecordsAgain, rawRecordsOf, rawRecordsWith } from './raw-records.ts'
import type { Storing } from './left-out-source.ts'
import { mappedBy, type Source, type Whose } from './source.ts'

type Stored = StoredModel<SourcedDraft>

/** The records of a model that is stored row by row. */
export function rowSource(whose: Whose, stored: Stored, reader: Reader<SourcedDraft>): Source<RawRecord> {
  const { connection } = whose
  const idOf = idsIn(whose, stored)
  const mapped = (items: readonly RawRecord[]) => {
    const reads = mappedBy([reader], items)
    return { reads, stayed: reads.filter((read) => idOf(read) === read.item.ownerId) }
  }
  return {
    pages: (db) => rawRecordsOf(db, connection, stored, reader.schema),
    again: (tx, items) => rawRecordsAgain(tx, connection, items),
    async look(db, items) {
      const { reads, stayed } = mapped(items)
      const unwritten: Run = { connection, syncId: null, stamp: 0 }
      const { written } = await differencesOf(db, stored, unwritten, reader.schema, stayed)
      const differing = new Set(written.map(({ id }) => id))
      return {
        unreadable: items.length - reads.length,
        moved: reads.length - stayed.length,
        due: items.filter(({ ownerId }) => differing.has(ownerId)),
        changed: differing.size,
      }
    },
    store: (tx, run, items) => storingRows(whose, stored, reader).store(tx, run, mapped(items).stayed),
  }
}

/** What a sync does with the records of a page. */
export function storingRows(
  whose: Whose,
  stored: Stored,
  { schema }: Pick<Reader<SourcedDraft>, 'schema'>,
): Storing<SourcedDraft> {
  const idOf = idsIn(whose, stored)
  return {
    async fresh(db, reads) {
      const there = await rawRecordsWith(db, whose.connection, reads.map(idOf))
      const sentAt = new Map(there.map(({ ownerId, extractedAt }) => [ownerId, extractedAt]))
      return reads.filter((read) => (sentAt.get(idOf(read)) ?? 0) < read.item.extractedAt)
    },
    async store(tx, run, reads) {
      const { changes, written } = await upsert(tx, stored, run, schema, reads, { marks: false })
      await announceChanges(tx, stored, run, whose.providerName, changes)
      return written
    },
  }
}

function idsIn({ connection }: Whose, { kind }: Stored) {
  const refer = referring(connection.id)
  return ({ draft }: { readonly draft: SourcedDraft }): string => String(refer(kind, draft.sourceId))
}

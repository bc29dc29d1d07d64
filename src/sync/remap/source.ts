import type { ParsedRecord, RecordOrigin } from '../ingest/parse-page.ts'
import type { RawRetainedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import { normalizeRecord } from '../ingest/normalize-record.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { WriteContext } from '../pipeline/write-context.ts'

/** Connection to remap, and the name of its provider in events. */
export interface RemapTarget {
  readonly connection: Connection
  readonly providerName: string
}

/** Database that rows are read from, inside or outside of a transaction. */
export type ReadRows = Pick<Database, 'rows' | 'dialect'>

/** Raw record that is stored: of a row, a point, a latest state, or in the quarantine. */
export interface KeptRecord extends RecordOrigin {
  readonly data: unknown
}

/** Source of stored raw records of one model, with the rules that store the result of mapping them again. */
export interface RemapSource<Item extends KeptRecord> {
  /** Reads all records in pages, in the order of their keys. */
  pages(db: ReadRows): AsyncIterable<readonly Item[]>
  /** Reads records again within the transaction, because a sync may have replaced them since `pages` read them. */
  reread(tx: Transaction, items: readonly Item[]): Promise<readonly Item[]>
  /** Maps a page and compares it with the stored records, without writing. */
  preview(db: ReadRows, items: readonly Item[]): Promise<PagePreview<Item>>
  /** Maps and stores records. Returns the number of written ones. */
  store(tx: Transaction, context: WriteContext, items: readonly Item[]): Promise<number>
}

/** Result of mapping a page. */
export interface PagePreview<Item> {
  /** Number of records that the current mapping cannot read. */
  readonly unreadable: number
  /** Number of records to which the current mapping gives another id or time. They are skipped. */
  readonly moved: number
  /** Items to pass to `store`, after `reread`. */
  readonly due: readonly Item[]
  /** Number of records that `store` would write. */
  readonly changed: number
}

/** Normalized record with the stored item that it comes from. */
export interface MappedItem<Item, Normalized> extends ParsedRecord<Normalized> {
  readonly item: Item
}

/** Maps each item with the first reader of its schema that can read it. Unreadable items are left out. */
export function mapItems<Item extends KeptRecord, Normalized>(
  model: RawRetainedModel,
  readers: readonly Pick<Reader<Normalized>, 'schema' | 'normalize'>[],
  items: readonly Item[],
): MappedItem<Item, Normalized>[] {
  return items.flatMap((item) => {
    const { schemaName, extractedAt, data: raw } = item
    for (const reader of readers)
      try {
        if (reader.schema !== schemaName) continue
        const { normalized } = normalizeRecord({ model, reader, asOf: extractedAt }, raw)
        return [{ item, normalized, raw, origin: { schemaName, extractedAt } }]
      } catch {
        continue
      }
    return []
  })
}

/** Sorts items by the time of receipt, because the last of several versions of a record is stored. */
export const sortedByReceipt = <Item extends RecordOrigin>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => a.extractedAt - b.extractedAt)

import type { ParsedRecord, SentRecord } from '../ingest/parse-page.ts'
import type { RawRetainedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import { fitRecord } from '../ingest/fit-record.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { WriteContext } from '../pipeline/write-context.ts'

/** Whose data it is, and what its provider is called in events. */
export interface RemapTarget {
  readonly connection: Connection
  readonly providerName: string
}

/** What is read, outside of a transaction or inside. */
export type ReadRows = Pick<Database, 'rows' | 'dialect'>

/** Something that a provider sent, as it is kept. */
export interface KeptRecord extends SentRecord {
  readonly data: unknown
}

/** What is kept of one model, and how the present mapping stores it. */
export interface RemapSource<Item extends KeptRecord> {
  /** All of it, so many at a time, in the order of its keys. */
  pages(db: ReadRows): AsyncIterable<readonly Item[]>
  /** Some of it as it is now: in a transaction what a sync has brought since counts, not what was read before. */
  reread(tx: Transaction, items: readonly Item[]): Promise<readonly Item[]>
  preview(db: ReadRows, items: readonly Item[]): Promise<PagePreview<Item>>
  /** Gives how many records were written. */
  store(tx: Transaction, run: WriteContext, items: readonly Item[]): Promise<number>
}

/** What the mapping makes of a page. */
export interface PagePreview<Item> {
  readonly unreadable: number
  /** What has another id or time by now than that under which it is stored: it is left alone. */
  readonly moved: number
  /** What there is to write for, and how many records that are. */
  readonly due: readonly Item[]
  readonly changed: number
}

/** What was read of an item. */
export interface MappedItem<Item, Draft> extends ParsedRecord<Draft> {
  readonly item: Item
}

/** Maps items with the reader whose name each was sent under. Items that no reader can read are left out. */
export function mapItems<Item extends KeptRecord, Draft>(
  model: RawRetainedModel,
  readers: readonly Pick<Reader<Draft>, 'schema' | 'normalize'>[],
  items: readonly Item[],
): MappedItem<Item, Draft>[] {
  return items.flatMap((item) => {
    const { schemaName, extractedAt, data: raw } = item
    for (const { schema, normalize } of readers)
      try {
        if (schema !== schemaName) continue
        const { normalized } = fitRecord(model, normalize(raw, extractedAt))
        return [{ item, normalized, raw, sent: { schemaName, extractedAt } }]
      } catch {
        continue
      }
    return []
  })
}

/** In the order in which they were sent: of several that are one record the last counts. */
export const bySentOrder = <Item extends SentRecord>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => one.extractedAt - other.extractedAt)

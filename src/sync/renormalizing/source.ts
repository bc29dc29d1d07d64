import type { Read, Sent } from '../../intake/read.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import type { Run } from '../reading/upsert.ts'

/** Whose data it is, and what its provider is called in events. */
export interface Whose {
  readonly connection: Connection
  readonly providerName: string
}

/** What is read, outside of a transaction or inside. */
export type Looked = Pick<Database, 'rows' | 'dialect'>

/** Something that a provider sent, as it is kept. */
export interface Kept extends Sent {
  readonly data: unknown
}

/** What is kept of one model, and how the present mapping stores it. */
export interface Source<Item extends Kept> {
  /** All of it, so many at a time, in the order of its keys. */
  pages(db: Looked): AsyncIterable<readonly Item[]>
  /** Some of it as it is now: in a transaction what a sync has brought since counts, not what was read before. */
  again(tx: Transaction, items: readonly Item[]): Promise<readonly Item[]>
  look(db: Looked, items: readonly Item[]): Promise<Look<Item>>
  /** Gives how many records were written. */
  store(tx: Transaction, run: Run, items: readonly Item[]): Promise<number>
}

/** What the mapping makes of a page. */
export interface Look<Item> {
  readonly unreadable: number
  /** What has another id or time by now than that under which it is stored: it is left alone. */
  readonly moved: number
  /** What there is to write for, and how many records that are. */
  readonly due: readonly Item[]
  readonly changed: number
}

/** What was read of an item. */
export interface Mapped<Item, Draft> extends Read<Draft> {
  readonly item: Item
}

/** What the mappings can read of some items: the first of those that go by the name under which each was sent. */
export function mappedBy<Item extends Kept, Draft>(
  readers: readonly Pick<Reader<Draft>, 'schema' | 'toDraft'>[],
  items: readonly Item[],
): Mapped<Item, Draft>[] {
  return items.flatMap((item) => {
    const { schemaName, extractedAt, data: raw } = item
    for (const { schema, toDraft } of readers)
      try {
        if (schema === schemaName)
          return [{ item, draft: toDraft(raw, extractedAt), raw, sent: { schemaName, extractedAt } }]
      } catch {
        continue
      }
    return []
  })
}

/** In the order in which they were sent: of several that are one record the last counts. */
export const inTheirOrder = <Item extends Sent>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => one.extractedAt - other.extractedAt)

import type { Table } from '../sql/table.ts'
import { and, type Where } from '../sql/where.ts'

/** Page sizes of a list: `preset` is the default. */
export interface Limits {
  readonly preset: number
  readonly maximum: number
}

/** Query of a list. The columns of `order` together are unique; they sort ascending unless `descending`. */
export interface ListQuery<Row> {
  readonly table: Table<Row>
  readonly where: Where
  readonly order: readonly (keyof Row & string)[]
  readonly descending?: boolean
  readonly limits?: Limits
  /** Further condition that may change while a client reads page by page, so cursors are not bound to it. */
  readonly shown?: Where | null
  /** Groups the list: one row of sums for each group. `order` names columns of the group. */
  readonly groupBy?: readonly string[]
  readonly having?: Where | null
  /** Limits the list to rows with one of these values, each read from its own index range. Not for grouped lists. */
  readonly parts?: { readonly column: keyof Row & string; readonly values: readonly (string | number)[] }
  /** Columns of the index to use: it has the rows of `where` in the order of the list. */
  readonly index?: readonly string[] | undefined
}

/** Adds a condition that may change while a client reads page by page. */
export function shownIf<Row>(list: ListQuery<Row>, condition: Where | null): ListQuery<Row> {
  if (!condition) return list
  return { ...list, shown: list.shown ? and(list.shown, condition) : condition }
}

import type { Table } from '../sql/table.ts'
import type { Where } from '../sql/where.ts'

/** Page sizes of a list: the default and the maximum. */
export interface Limits {
  readonly preset: number
  readonly maximum: number
}

/** A list: its rows by columns that together make the order total, ascending unless it says otherwise. */
export interface ListQuery<Row> {
  readonly table: Table<Row>
  readonly where: Where
  readonly order: readonly (keyof Row & string)[]
  readonly descending?: boolean
  readonly limits?: Limits
  /** What of the list is shown at present. It may change while a reader pages, so cursors are not bound to it. */
  readonly shown?: Where | null
  /** Makes it a list of sums, one row for each group; `order` is of group columns. */
  readonly groupBy?: readonly string[]
  readonly having?: Where | null
  /** Only rows with one of these values, each of which has an index range of its own. Not for lists of sums. */
  readonly parts?: { readonly column: keyof Row & string; readonly values: readonly (string | number)[] }
  /** The columns of an index in which the rows that `where` leaves stand in the list's order. */
  readonly index?: readonly string[] | undefined
}

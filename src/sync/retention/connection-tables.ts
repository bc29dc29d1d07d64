import type { Rows } from '../../storage/database.ts'
import { type Dialect, indexesWith, tablesWith } from '../../storage/sql/dialect.ts'
import { seriesTables } from '../../storage/series/series-tables.ts'

/** Table whose rows name a connection in their column `connectionId`. */
export interface ConnectionTable {
  readonly name: string
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** Index that begins with the connection, alone or after its application; null if the table has none. */
  readonly index: ConnectionIndex | null
}

interface ConnectionIndex {
  readonly name: string
  readonly hasApplication: boolean
}

/** Returns all tables with a column `connectionId` in the order in which they are erased: time series first. */
export async function connectionTables(db: Rows & { readonly dialect: Dialect }): Promise<ConnectionTable[]> {
  const keys = columnsBy(
    await db.rows<{ table: string; column: string }>(tablesWith(db.dialect), ['connectionId']),
    ({ table }) => table,
  )
  const indexes = columnsBy(
    await db.rows<{ table: string; index: string; column: string }>(indexesWith(db.dialect), [
      'connectionId',
    ]),
    ({ table, index }) => `${table}.${index}`,
  )
  keys.delete('connections')
  return [...keys]
    .map(([name, key]) => ({ name, key, index: indexOf(name, indexes) }))
    .sort((a, b) => rankOf(a) - rankOf(b))
}

function columnsBy<Row extends { readonly column: string }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Map<string, string[]> {
  const columns = new Map<string, string[]>()
  for (const row of rows) columns.set(nameOf(row), [...(columns.get(nameOf(row)) ?? []), row.column])
  return columns
}

function indexOf(table: string, indexes: ReadonlyMap<string, readonly string[]>): ConnectionIndex | null {
  const own = [...indexes].filter(([name]) => name.startsWith(`${table}.`))
  const nameOf = ([name]: readonly [string, unknown]) => name.slice(table.length + 1)
  const byConnection = own.find(([, [first]]) => first === 'connectionId')
  if (byConnection) return { name: nameOf(byConnection), hasApplication: false }
  const byApplication = own.find(
    ([, [first, second]]) => first === 'applicationId' && second === 'connectionId',
  )
  return byApplication ? { name: nameOf(byApplication), hasApplication: true } : null
}

/** Time series come first, in their order, then the other tables without an index by connection. */
function rankOf({ name, index }: ConnectionTable): number {
  const place = seriesTables.findIndex((table) => table.name === name)
  if (place >= 0) return place
  return index === null ? seriesTables.length : seriesTables.length + 1
}

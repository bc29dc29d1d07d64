import type { Transaction } from './database.ts'
import { type Dialect, insertSql, upsertSql } from './sql/dialect.ts'
import type { Table } from './sql/table.ts'

/** Statements of one transaction. */
export interface Statements {
  rows(sql: string, parameters: readonly unknown[]): Promise<unknown[]>
  /** Returns the number of changed rows. */
  run(sql: string, parameters: readonly unknown[]): Promise<number>
  /** Maximum size of a statement in bytes, values included. */
  readonly maxBytes: number
}

/** Runs a statement, and counts and measures it. */
export type StatementHook = <T>(sql: string, run: () => Promise<T>) => Promise<T>

const MAX_ROWS_PER_STATEMENT = 500
/** Bytes that a statement may need apart from its values. */
const STATEMENT_BYTES = 8 * 1024

export function createTransaction(
  dialect: Dialect,
  statements: Statements,
  instrument: StatementHook,
): Transaction {
  const run = (sql: string, parameters: readonly unknown[] = []) => {
    return instrument(sql, () => statements.run(sql, parameters))
  }
  const write = async <Row extends object>(
    table: Table<Row>,
    rows: readonly Row[],
    sqlFor: (rowCount: number) => string,
  ) => {
    for (const slice of slices(rows.map(table.toValues), statements.maxBytes - STATEMENT_BYTES))
      await run(sqlFor(slice.length), slice.flat())
  }
  return {
    dialect,
    run,
    rows<T>(sql: string, parameters: readonly unknown[] = []) {
      return instrument(sql, () => statements.rows(sql, parameters)) as Promise<T[]>
    },
    insert: (table, rows) => write(table, rows, (count) => insertSql(table.name, table.columns, count)),
    upsert: (table, rows) =>
      write(table, rows, (count) => upsertSql(dialect, table.name, table.columns, table.primaryKey, count)),
  }
}

/** Splits rows into statements of at most `maxBytes`. A row that is larger gets its own statement. */
function* slices(rows: readonly unknown[][], maxBytes: number): Generator<unknown[][]> {
  let slice: unknown[][] = []
  let bytes = 0
  for (const row of rows) {
    const rowBytes = row.reduce<number>((sum, value) => sum + maxBytesOf(value), 0)
    if (slice.length === MAX_ROWS_PER_STATEMENT || (slice.length > 0 && bytes + rowBytes > maxBytes)) {
      yield slice
      slice = []
      bytes = 0
    }
    slice.push(row)
    bytes += rowBytes
  }
  if (slice.length > 0) yield slice
}

/** Returns an upper bound of the bytes of a value: a UTF-16 unit takes at most three bytes, even if it is escaped. */
function maxBytesOf(value: unknown): number {
  if (typeof value === 'string') return 3 * value.length + 4
  return Buffer.isBuffer(value) ? 2 * value.length + 5 : 32
}

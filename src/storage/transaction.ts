import type { Transaction } from './database.ts'
import { type Dialect, insertSql, upsertSql } from './sql/dialect.ts'
import type { Table } from './sql/table.ts'

/** A connection in the middle of a transaction. */
export interface Statements {
  rows(sql: string, parameters: readonly unknown[]): Promise<unknown[]>
  /** Gives how many rows it changed. */
  run(sql: string, parameters: readonly unknown[]): Promise<number>
}

/** What every statement passes through, whoever asks. */
export type StatementHook = <T>(sql: string, ask: () => Promise<T>) => Promise<T>

const ROWS_PER_STATEMENT = 500

export function createTransaction(
  dialect: Dialect,
  statements: Statements,
  asked: StatementHook,
): Transaction {
  const run = (sql: string, parameters: readonly unknown[] = []) => {
    return asked(sql, () => statements.run(sql, parameters))
  }
  const write = async <Row extends object>(
    table: Table<Row>,
    rows: readonly Row[],
    sqlFor: (rowCount: number) => string,
  ) => {
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      const slice = rows.slice(at, at + ROWS_PER_STATEMENT)
      await run(
        sqlFor(slice.length),
        slice.flatMap((row) => table.toValues(row)),
      )
    }
  }
  return {
    dialect,
    run,
    rows<T>(sql: string, parameters: readonly unknown[] = []) {
      return asked(sql, () => statements.rows(sql, parameters)) as Promise<T[]>
    },
    insert: (table, rows) => write(table, rows, (count) => insertSql(table.name, table.columns, count)),
    upsert: (table, rows) =>
      write(table, rows, (count) => upsertSql(dialect, table.name, table.columns, table.primaryKey, count)),
  }
}

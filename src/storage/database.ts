import type { Dialect } from './sql/dialect.ts'
import type { Table } from './sql/table.ts'

/** Runs SQL queries. Values are passed as parameters only. */
export interface Rows {
  rows<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>
}

export interface Transaction extends Rows {
  readonly dialect: Dialect
  /** Runs a statement without result rows. Returns the number of changed rows. */
  run(sql: string, parameters?: readonly unknown[]): Promise<number>
  insert<Row extends object>(table: Table<Row>, rows: readonly Row[]): Promise<void>
  /** Inserts rows, or replaces the rows with the same primary key. */
  upsert<Row extends object>(table: Table<Row>, rows: readonly Row[]): Promise<void>
}

/** Database. Reads see committed rows only, writes are transactions, and every wait has a time limit. */
export interface Database extends Rows {
  readonly dialect: Dialect
  /**
   * Runs a transaction. Its work may run several times until it commits. An idempotent transaction may be `repeatable`,
   * which saves the statement for its commit marker.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, again?: 'repeatable'): Promise<T>
  /** Same database with the longer time limits of jobs, for which no caller waits. */
  inBackground(): Database
  /** Reads of one operation, which may be slightly behind the primary: from a replica if there is one. */
  forReading(): Pick<Database, 'rows' | 'dialect'>
  /** Writes without an effect. Rejects soon if the database does not answer or refuses writes. */
  checkWrites(): Promise<void>
  /** Applies the pending migrations. */
  migrate(): Promise<void>
  /** Calls the listener for every statement, to count them. Returns a function that removes it. */
  onStatement(listener: (sql: string) => void): () => void
  /** Use of the connection pool. Null for the embedded database, which has none. */
  pool(): PoolUse | null
  close(): Promise<void>
}

/** Connections of a pool, and callers that wait for one. */
export interface PoolUse {
  readonly limit: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

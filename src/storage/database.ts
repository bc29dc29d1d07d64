import type { Dialect } from './sql/dialect.ts'
import type { Table } from './sql/table.ts'

/** Runs SQL queries. Values belong in `parameters`, never in the SQL text. */
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

/** Reads see committed rows only. Every write is part of a transaction. Every wait has a time limit. */
export interface Database extends Rows {
  readonly dialect: Dialect
  /**
   * Runs a transaction. Its work may run several times until it commits. After a lost COMMIT, a commit marker shows
   * whether to run it again. A transaction that may also run again after its commit needs no marker: pass `idempotent`
   * to save that statement.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, property?: 'idempotent'): Promise<T>
  /** Returns the same database with the time limits of jobs. They are longer, because no caller waits for a job. */
  inBackground(): Database
  /** Returns the database for the reads of one operation: a replica, which may be slightly behind, or the primary. */
  forReading(): Pick<Database, 'rows' | 'dialect'>
  /** Checks that the database accepts writes. Rejects within about a second if it does not, or does not answer. */
  checkWrites(): Promise<void>
  /** Applies the pending migrations. */
  migrate(): Promise<void>
  /** Calls the listener for every statement, to count statements. Returns a function that removes the listener. */
  onStatement(listener: (sql: string) => void): () => void
  /** Returns the use of the connection pool. Null for the embedded database, which has no pool. */
  pool(): PoolUse | null
  close(): Promise<void>
}

/** Receives the failures of the database that no caller gets. */
export interface DatabaseLog {
  warn(fields: object, message: string): void
}

/** Numbers of connections of a pool, and of callers that wait for one. */
export interface PoolUse {
  readonly limit: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

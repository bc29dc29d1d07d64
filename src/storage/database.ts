import type { Dialect } from './sql/dialect.ts'
import type { Table } from './sql/table.ts'

/** Something that answers SQL with rows. Values go in as parameters only. */
export interface Rows {
  rows<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>
}

export interface Transaction extends Rows {
  readonly dialect: Dialect
  /** Runs a statement that answers no rows; gives how many it changed. */
  run(sql: string, parameters?: readonly unknown[]): Promise<number>
  insert<Row extends object>(table: Table<Row>, rows: readonly Row[]): Promise<void>
  /** Inserts rows; those whose primary key is there already are replaced. */
  upsert<Row extends object>(table: Table<Row>, rows: readonly Row[]): Promise<void>
}

/** The database: reads see what is committed, writes are transactions. Nothing waits for it without an end. */
export interface Database extends Rows {
  readonly dialect: Dialect
  /**
   * Runs a transaction; its work may be run again, whole, until it commits. What is `repeatable`, because running it
   * twice does no more than once, costs a statement less.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, again?: 'repeatable'): Promise<T>
  /** The same database for jobs: nobody waits for them, so they wait longer. */
  inBackground(): Database
  /** For the reads of one operation that may be a moment behind: a replica where there are any. */
  forReading(): Pick<Database, 'rows' | 'dialect'>
  /** Applies the migrations that are missing. */
  migrate(): Promise<void>
  /** Hears every statement: for counting them. */
  onStatement(listener: (sql: string) => void): () => void
  /** How its connections are used; null where there is no pool. */
  pool(): PoolUse | null
  close(): Promise<void>
}

/** The connections of a pool, and who waits for one. */
export interface PoolUse {
  readonly limit: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

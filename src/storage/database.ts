import { statements } from '../watched.ts'
import type { Dialect } from './dialect.ts'
import { type DatabasePlace, migrate } from './migrate.ts'
import { openMysql } from './mysql/store.ts'
import { Limit, ofJobs, ofRequests, type Patience } from './patience.ts'
import { openSqlite } from './sqlite.ts'
import type { Replica, Store } from './store.ts'
import type { Table } from './table.ts'
import { type Asking, transactionOf } from './transaction.ts'

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
  onStatement(ear: (sql: string) => void): () => void
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

interface DatabaseOptions extends DatabasePlace {
  /** Servers that follow the one that is written to. */
  readonly replicaUrls?: readonly string[]
  readonly poolSize?: number
  /** How long a caller waits for the database before it is given up. */
  readonly timeoutMs?: number
}

export async function openDatabase({
  mysqlUrl,
  replicaUrls = [],
  sqlitePath,
  poolSize = 10,
  timeoutMs = 4000,
}: DatabaseOptions): Promise<Database> {
  const dialect: Dialect = mysqlUrl ? 'mysql' : 'sqlite'
  const store = mysqlUrl ? await openMysql(mysqlUrl, { poolSize, replicaUrls }) : await openSqlite(sqlitePath)
  const ears = new Set<(sql: string) => void>()
  const asked: Asking = (sql, ask) => {
    ears.forEach((ear) => ear(sql))
    return statements.run({ sql }, ask)
  }
  const whole = {
    dialect,
    migrate: () => migrate({ mysqlUrl, sqlitePath }),
    onStatement(ear: (sql: string) => void) {
      ears.add(ear)
      return () => ears.delete(ear)
    },
    pool: () => store.pool(),
    close: () => store.close(),
  }
  const background: Database = {
    ...whole,
    ...patient(store, dialect, asked, ofJobs(timeoutMs)),
    inBackground: () => background,
  }
  return {
    ...whole,
    ...patient(store, dialect, asked, ofRequests(timeoutMs)),
    inBackground: () => background,
  }
}

type Asked = Pick<Database, 'rows' | 'transaction' | 'forReading'>

/** A database as it is asked with so much patience. */
function patient(store: Store, dialect: Dialect, asked: Asking, patience: Patience): Asked {
  const primary: Rows & { dialect: Dialect } = {
    dialect,
    rows<T>(sql: string, parameters: readonly unknown[] = []) {
      return asked(sql, () => store.rows(sql, parameters, new Limit(patience))) as Promise<T[]>
    },
  }
  return {
    rows: primary.rows,
    transaction: (work, again) =>
      store.transaction(
        (statements) => work(transactionOf(dialect, statements, asked)),
        new Limit(patience),
        again === 'repeatable',
      ),
    forReading() {
      const replica = store.replica()
      return replica ? followed(replica, primary, asked, patience) : primary
    },
  }
}

/**
 * The reads of one operation, all from one replica: what is read first may say how much of what is read next is
 * settled, and a replica that is further behind would not have it. The primary has it all, so where the replica is
 * lost the primary goes on.
 */
function followed(
  replica: Replica,
  primary: Rows & { dialect: Dialect },
  asked: Asking,
  patience: Patience,
): Rows & { dialect: Dialect } {
  let lost = false
  return {
    dialect: primary.dialect,
    async rows<T>(sql: string, parameters: readonly unknown[] = []) {
      if (lost) return primary.rows<T>(sql, parameters)
      const limit = new Limit(patience)
      const found = (await asked(sql, () => replica.rows(sql, parameters, limit))) as T[] | null
      if (found) return found
      lost = true
      return await primary.rows<T>(sql, parameters)
    },
  }
}

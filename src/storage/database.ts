import { DataSource, type EntityManager, type MigrationInterface } from 'typeorm'
import { type Dialect, insertSql, mayRunAgain, mysqlOptions, sqliteOptions, upsertSql } from './dialect.ts'
import { FirstLight } from './migrations/0001-first-light.ts'
import { WholeModel } from './migrations/0002-whole-model.ts'
import { Connections } from './migrations/0003-connections.ts'
import { OpenWrites } from './migrations/0004-open-writes.ts'
import type { Table } from './table.ts'

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

/** The database: reads see what is committed, writes are transactions. */
export interface Database extends Rows {
  readonly dialect: Dialect
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  migrate(): Promise<void>
  /** Hears every statement: for counting them. */
  onStatement(ear: (sql: string) => void): () => void
  close(): Promise<void>
}

interface DatabaseOptions {
  /** A MySQL or MariaDB server; without it the embedded file is opened. */
  readonly mysqlUrl?: string | undefined
  readonly sqlitePath: string
  readonly poolSize?: number
}

const ROWS_PER_STATEMENT = 500
const ATTEMPTS = 5
const MIGRATION_LOCK = 'odograph migrations'

const migrations: readonly (new () => MigrationInterface)[] = [
  FirstLight,
  WholeModel,
  Connections,
  OpenWrites,
]

export async function openDatabase({
  mysqlUrl,
  sqlitePath,
  poolSize = 10,
}: DatabaseOptions): Promise<Database> {
  const dialect: Dialect = mysqlUrl ? 'mysql' : 'sqlite'
  const options = mysqlUrl ? mysqlOptions(mysqlUrl, poolSize) : sqliteOptions(sqlitePath)
  const writer = await new DataSource({ ...options, migrations: [...migrations] }).initialize()
  // An embedded database has one connection for its transactions, so reads must not run on it: they would see
  // what is not committed.
  const reader = dialect === 'sqlite' ? await new DataSource(options).initialize() : writer
  const read =
    dialect === 'mysql'
      ? pooled(reader)
      : <T>(sql: string, parameters: readonly unknown[]) => reader.query<T[]>(sql, [...parameters])
  const ears = new Set<(sql: string) => void>()
  const heard = (sql: string) => ears.forEach((ear) => ear(sql))
  const alone = oneAtATime()
  const transact = <T>(work: (tx: Transaction) => Promise<T>) =>
    writer.transaction((manager) => work(transaction(manager, dialect, heard)))

  return {
    dialect,
    rows(sql, parameters = []) {
      heard(sql)
      return read(sql, parameters)
    },
    transaction: (work) =>
      retried(() => (dialect === 'sqlite' ? alone(() => transact(work)) : transact(work))),
    migrate: () => (dialect === 'sqlite' ? applyMigrations(writer) : underLock(writer, applyMigrations)),
    onStatement(ear) {
      ears.add(ear)
      return () => ears.delete(ear)
    },
    async close() {
      if (reader !== writer) await reader.destroy()
      await alone(() => writer.destroy())
    },
  }
}

interface MysqlPool {
  query(sql: string, parameters: readonly unknown[], done: (error: Error | null, rows: unknown) => void): void
}

/** Reads straight from the driver's pool: a query runner for every read costs as much as a small read. */
function pooled(source: DataSource) {
  const { pool } = source.driver as unknown as { pool: MysqlPool }
  return <T>(sql: string, parameters: readonly unknown[]): Promise<T[]> =>
    new Promise((resolve, reject) =>
      pool.query(sql, parameters, (error, rows) => (error ? reject(error) : resolve(rows as T[]))),
    )
}

function transaction(manager: EntityManager, dialect: Dialect, heard: (sql: string) => void): Transaction {
  const runner = manager.queryRunner
  if (!runner) throw new Error('a transaction has a query runner')
  const run = async (sql: string, parameters: readonly unknown[] = []) => {
    heard(sql)
    const result = await runner.query(sql, parameters as unknown[], true)
    return Number(result.affected ?? 0)
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
    rows(sql, parameters = []) {
      heard(sql)
      return runner.query(sql, parameters as unknown[])
    },
    insert: (table, rows) => write(table, rows, (count) => insertSql(table.name, table.columns, count)),
    upsert: (table, rows) =>
      write(table, rows, (count) => upsertSql(dialect, table.name, table.columns, table.primaryKey, count)),
  }
}

/** Runs a transaction again, whole, when the database gave it up to resolve a conflict. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !mayRunAgain(error)) throw error
    }
  }
}

function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}

async function applyMigrations(source: DataSource): Promise<void> {
  await source.runMigrations({ transaction: 'none' })
}

/** Two processes that start at once must not migrate at once. */
async function underLock(source: DataSource, work: (source: DataSource) => Promise<void>): Promise<void> {
  const runner = source.createQueryRunner()
  try {
    const [{ had }] = await runner.query('SELECT GET_LOCK(?, 300) AS had', [MIGRATION_LOCK])
    if (Number(had) !== 1) throw new Error('another process has been migrating the database for 5 minutes')
    await work(source)
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [MIGRATION_LOCK])
    await runner.release()
  }
}

import { statements } from '../platform/instrumentation.ts'
import type { Database, DatabaseLog, Rows } from './database.ts'
import { type DatabaseLocation, migrate } from './migrate.ts'
import { openMysql } from './mysql/store.ts'
import type { Dialect } from './sql/dialect.ts'
import { openSqlite } from './sqlite/store.ts'
import type { Store, Replica } from './store.ts'
import { jobTimeouts, requestTimeouts, type TimeoutPolicy, TimeLimit } from './timeouts.ts'
import { type StatementHook, createTransaction } from './transaction.ts'
import { WriteCheck } from './write-check.ts'

interface DatabaseOptions extends DatabaseLocation {
  /** URLs of the read replicas of the server. */
  readonly replicaUrls?: readonly string[]
  readonly poolSize?: number
  /** Time limit of a database operation for a request, in ms, retries included. Jobs get multiples of it. */
  readonly timeoutMs?: number
  readonly log?: DatabaseLog
}

export async function openDatabase({
  mysqlUrl,
  replicaUrls = [],
  sqlitePath,
  poolSize = 10,
  timeoutMs = 4000,
  log,
}: DatabaseOptions): Promise<Database> {
  const dialect: Dialect = mysqlUrl ? 'mysql' : 'sqlite'
  const maxStatementMs = jobTimeouts(timeoutMs).statementMs
  const opened = mysqlUrl
    ? await openMysql(mysqlUrl, { poolSize, replicaUrls, maxStatementMs, log })
    : await openSqlite(sqlitePath)
  const writeCheck = new WriteCheck(opened, dialect)
  const store: Store = {
    ...opened,
    transaction: (...args) =>
      opened.transaction(...args).catch((error: unknown) => {
        writeCheck.noteFailure(error)
        throw error
      }),
  }
  const listeners = new Set<(sql: string) => void>()
  const instrument: StatementHook = (sql, run) => {
    listeners.forEach((listener) => listener(sql))
    return statements.run({ sql }, run)
  }
  const common = {
    dialect,
    checkWrites: () => writeCheck.run(),
    migrate: () => migrate({ mysqlUrl, sqlitePath }),
    onStatement(listener: (sql: string) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pool: () => store.pool(),
    close: () => store.close(),
  }
  const background: Database = {
    ...common,
    ...withTimeouts(store, dialect, instrument, jobTimeouts(timeoutMs)),
    inBackground: () => background,
  }
  return {
    ...common,
    ...withTimeouts(store, dialect, instrument, requestTimeouts(timeoutMs)),
    inBackground: () => background,
  }
}

type DatabaseOperations = Pick<Database, 'rows' | 'transaction' | 'forReading'>

/** Returns the database operations with the time limits of a policy. */
function withTimeouts(
  store: Store,
  dialect: Dialect,
  instrument: StatementHook,
  policy: TimeoutPolicy,
): DatabaseOperations {
  const primary: Rows & { dialect: Dialect } = {
    dialect,
    rows<T>(sql: string, parameters: readonly unknown[] = []) {
      return instrument(sql, () => store.rows(sql, parameters, new TimeLimit(policy))) as Promise<T[]>
    },
  }
  return {
    rows: primary.rows,
    transaction: (work, property) =>
      store.transaction(
        (statements) => work(createTransaction(dialect, statements, instrument)),
        new TimeLimit(policy),
        property === 'idempotent',
      ),
    forReading() {
      const replica = store.replica()
      return replica ? withReplica(replica, primary, instrument, policy) : primary
    },
  }
}

/**
 * Returns the database for the reads of one operation, all from the same replica. A watermark that is read first must
 * hold for the rows that are read next, and another replica may be further behind. If the replica fails, the operation
 * continues on the primary, which is never behind.
 */
function withReplica(
  replica: Replica,
  primary: Rows & { dialect: Dialect },
  instrument: StatementHook,
  policy: TimeoutPolicy,
): Rows & { dialect: Dialect } {
  let isLost = false
  return {
    dialect: primary.dialect,
    async rows<T>(sql: string, parameters: readonly unknown[] = []) {
      if (isLost) return primary.rows<T>(sql, parameters)
      const limit = new TimeLimit(policy)
      const rows = (await instrument(sql, () => replica.rows(sql, parameters, limit))) as T[] | null
      if (rows) return rows
      isLost = true
      return await primary.rows<T>(sql, parameters)
    },
  }
}

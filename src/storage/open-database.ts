import { statements } from '../platform/instrumentation.ts'
import type { Database, Rows } from './database.ts'
import { type DatabaseLocation, migrate } from './migrate.ts'
import { openMysql } from './mysql/store.ts'
import type { Dialect } from './sql/dialect.ts'
import { openSqlite } from './sqlite.ts'
import type { Store, Replica } from './store.ts'
import { jobTimeouts, requestTimeouts, type TimeoutPolicy, TimeLimit } from './timeouts.ts'
import { type StatementHook, createTransaction } from './transaction.ts'

interface DatabaseOptions extends DatabaseLocation {
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
  const listeners = new Set<(sql: string) => void>()
  const asked: StatementHook = (sql, ask) => {
    listeners.forEach((listener) => listener(sql))
    return statements.run({ sql }, ask)
  }
  const whole = {
    dialect,
    migrate: () => migrate({ mysqlUrl, sqlitePath }),
    onStatement(listener: (sql: string) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pool: () => store.pool(),
    close: () => store.close(),
  }
  const background: Database = {
    ...whole,
    ...withTimeouts(store, dialect, asked, jobTimeouts(timeoutMs)),
    inBackground: () => background,
  }
  return {
    ...whole,
    ...withTimeouts(store, dialect, asked, requestTimeouts(timeoutMs)),
    inBackground: () => background,
  }
}

type DatabaseRequest = Pick<Database, 'rows' | 'transaction' | 'forReading'>

/** A database as it is asked with so much patience. */
function withTimeouts(
  store: Store,
  dialect: Dialect,
  asked: StatementHook,
  policy: TimeoutPolicy,
): DatabaseRequest {
  const primary: Rows & { dialect: Dialect } = {
    dialect,
    rows<T>(sql: string, parameters: readonly unknown[] = []) {
      return asked(sql, () => store.rows(sql, parameters, new TimeLimit(policy))) as Promise<T[]>
    },
  }
  return {
    rows: primary.rows,
    transaction: (work, again) =>
      store.transaction(
        (statements) => work(createTransaction(dialect, statements, asked)),
        new TimeLimit(policy),
        again === 'repeatable',
      ),
    forReading() {
      const replica = store.replica()
      return replica ? withReplica(replica, primary, asked, policy) : primary
    },
  }
}

/**
 * The reads of one operation, all from one replica: what is read first may say how much of what is read next is
 * settled, and a replica that is further behind would not have it. The primary has it all, so where the replica is
 * lost the primary goes on.
 */
function withReplica(
  replica: Replica,
  primary: Rows & { dialect: Dialect },
  asked: StatementHook,
  policy: TimeoutPolicy,
): Rows & { dialect: Dialect } {
  let lost = false
  return {
    dialect: primary.dialect,
    async rows<T>(sql: string, parameters: readonly unknown[] = []) {
      if (lost) return primary.rows<T>(sql, parameters)
      const limit = new TimeLimit(policy)
      const found = (await asked(sql, () => replica.rows(sql, parameters, limit))) as T[] | null
      if (found) return found
      lost = true
      return await primary.rows<T>(sql, parameters)
    },
  }
}

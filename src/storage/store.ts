import type { DatabaseLog, PoolUse } from './database.ts'
import type { TimeLimit } from './timeouts.ts'
import type { Statements } from './transaction.ts'

export interface ServerOptions {
  readonly poolSize: number
  /** URLs of the read replicas of the server. */
  readonly replicaUrls: readonly string[]
  /** The longest time limit of a statement. The server ends a statement after it, even if its client is gone. */
  readonly maxStatementMs: number
  readonly log: DatabaseLog | undefined
}

/** Access to the data of a server or a file. `openDatabase` builds a `Database` on it. */
export interface Store {
  /** Reads committed rows. */
  rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[]>
  /** Runs a transaction. After a temporary failure it starts again, until the time limit is reached. */
  transaction<T>(
    work: (statements: Statements) => Promise<T>,
    limit: TimeLimit,
    /** Whether the transaction may run again after it has committed. */
    isIdempotent: boolean,
  ): Promise<T>
  /** Returns the next replica in turn; null if none is available. */
  replica(): Replica | null
  /** Returns the use of the connection pool; null for a file. */
  pool(): PoolUse | null
  close(): Promise<void>
}

/** Read replica, slightly behind the primary. */
export interface Replica {
  /** Returns null if the replica fails. It is then skipped for a while. */
  rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[] | null>
}

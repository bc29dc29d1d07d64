import type { PoolUse } from './database.ts'
import type { TimeLimit } from './timeouts.ts'
import type { Statements } from './transaction.ts'

export interface ServerOptions {
  readonly poolSize: number
  /** Read replicas of the server. */
  readonly replicaUrls: readonly string[]
}

/** Database as the rest of the storage uses it: a server or a file. */
export interface Store {
  /** Reads committed rows. */
  rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[]>
  /** Runs a transaction. After a temporary failure it starts again, until the time limit. */
  transaction<T>(
    work: (statements: Statements) => Promise<T>,
    limit: TimeLimit,
    /** Whether the transaction is idempotent. */
    repeatable: boolean,
  ): Promise<T>
  /** Next replica in turn; null if none is available. */
  replica(): Replica | null
  /** Use of the connection pool; null for a file. */
  pool(): PoolUse | null
  close(): Promise<void>
}

/** Read replica, slightly behind the primary. */
export interface Replica {
  /** Returns null if the replica does not answer; it is skipped for a while then. */
  rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[] | null>
}

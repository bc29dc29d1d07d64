import type { PoolUse } from './database.ts'
import type { TimeLimit } from './timeouts.ts'
import type { Statements } from './transaction.ts'

export interface ServerOptions {
  readonly poolSize: number
  /** Servers that follow the one that is written to. */
  readonly replicaUrls: readonly string[]
}

/** What a database is to the rest of the storage, whichever it is. */
export interface Store {
  /** Reads what is committed. */
  rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[]>
  /** Runs a transaction, from its beginning again where that makes sense and the limit lets it. */
  transaction<T>(
    work: (statements: Statements) => Promise<T>,
    limit: TimeLimit,
    /** Whether running it twice does no more than running it once. */
    repeatable: boolean,
  ): Promise<T>
  /** The next replica's turn; null where none is alive. */
  replica(): Replica | null
  /** The connections to a server; null where there is none. */
  pool(): PoolUse | null
  close(): Promise<void>
}

/** A server that follows the one that is written to, a moment behind. */
export interface Replica {
  /** Gives null where it does not answer; it is left out for a while then. */
  rows(sql: string, parameters: readonly unknown[], limit: TimeLimit): Promise<unknown[] | null>
}

import { setTimeout as wait } from 'node:timers/promises'
import type { PoolConnection, ResultSetHeader } from 'mysql2'
import { type TimeLimit, databaseUnavailable, pauseMs } from '../timeouts.ts'
import type { Statements } from '../transaction.ts'
import { hasCommitted, INSERT_MARKER, newCommitMarker } from './commit-markers.ts'
import { classifyError } from './error-classifier.ts'
import type { Server } from './server.ts'

/** Error: a writing transaction got no answer to its COMMIT. */
class CommitInDoubt<T> extends Error {
  override readonly name = 'CommitInDoubt'

  constructor(
    readonly marker: string,
    readonly result: T,
    cause: unknown,
  ) {
    super('the connection was lost while a transaction committed', { cause })
  }
}

interface Attempt<T> {
  readonly work: (statements: Statements) => Promise<T>
  readonly limit: TimeLimit
  /** Whether the transaction may run again after it has committed. */
  readonly isIdempotent: boolean
}

/** Runs a transaction. If the server or the connection fails, it starts again, until the time limit is reached. */
export async function transact<T>(server: Server, attempt: Attempt<T>): Promise<T> {
  const { limit } = attempt
  for (let tries = 0; ; tries++) {
    try {
      return await tryOnce(server, attempt)
    } catch (error) {
      if (error instanceof CommitInDoubt && (await hasCommitted(server, error.marker, limit)))
        return error.result as T
      await waitBeforeRetry(error, limit, tries)
    }
  }
}

const CONFLICT_BACKOFF = { firstMs: 4, maxMs: 200 }
const LOST_BACKOFF = { firstMs: 40, maxMs: 500 }

/** Waits before a retry. Throws if a retry does not help, or if no time is left for one. */
export async function waitBeforeRetry(error: unknown, limit: TimeLimit, tries: number): Promise<void> {
  const kind = error instanceof CommitInDoubt ? 'lost' : classifyError(error)
  if (kind === null) throw error
  if (kind === 'full' || !limit.mayRetry) throw databaseUnavailable(error)
  await wait(pauseMs(tries, kind === 'conflict' ? CONFLICT_BACKOFF : LOST_BACKOFF))
}

async function tryOnce<T>(server: Server, { work, limit, isIdempotent }: Attempt<T>): Promise<T> {
  const connection = new TransactionConnection(server, await server.take(limit.statementMs), limit)
  let inDoubt: ((cause: unknown) => Error) | null = null
  try {
    await connection.query('START TRANSACTION')
    const result = await work(connection)
    if (connection.wrote && !isIdempotent) {
      const marker = newCommitMarker()
      await connection.query(INSERT_MARKER, [marker])
      inDoubt = (cause) => new CommitInDoubt(marker, result, cause)
    }
    await connection.end('COMMIT')
    return result
  } catch (error) {
    await connection.abandon()
    throw inDoubt ? inDoubt(error) : error
  }
}

/** Database connection of one attempt of a transaction. It refuses statements after the end of the transaction. */
class TransactionConnection implements Statements {
  wrote = false
  private isOver = false

  constructor(
    private readonly server: Server,
    private readonly connection: PoolConnection,
    private readonly limit: TimeLimit,
  ) {}

  get maxBytes(): number {
    return this.server.maxStatementBytes
  }

  query(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    if (this.isOver) return Promise.reject(new Error('a statement ran after the end of its transaction'))
    return this.server.query(this.connection, sql, parameters, this.limit.statementMs)
  }

  async rows(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return (await this.query(sql, parameters)) as unknown[]
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<number> {
    this.wrote = true
    return ((await this.query(sql, parameters)) as ResultSetHeader).affectedRows
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const ended = this.query(how)
    this.isOver = true
    await ended
    this.connection.release()
  }

  /** Rolls the transaction back. If that fails, the connection is closed and the server rolls it back. */
  async abandon(): Promise<void> {
    if (this.isOver) return this.connection.destroy()
    await this.end('ROLLBACK').catch(() => this.connection.destroy())
  }
}

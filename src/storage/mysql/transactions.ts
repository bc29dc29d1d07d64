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
  /** Whether the transaction is idempotent. */
  readonly repeatable: boolean
}

/** Runs a transaction. If the server or the connection fails, it starts again until the time limit. */
export async function transact<T>(server: Server, attempt: Attempt<T>): Promise<T> {
  const { limit } = attempt
  for (let tries = 0; ; tries++) {
    try {
      return await tryOnce(server, attempt)
    } catch (error) {
      if (error instanceof CommitInDoubt && (await hasCommitted(server, error.marker, limit)))
        return error.result as T
      await beforeAnotherTry(error, limit, tries)
    }
  }
}

/** Waits before a retry, or throws the error if a retry does not help. */
export async function beforeAnotherTry(error: unknown, limit: TimeLimit, tries: number): Promise<void> {
  const kind = error instanceof CommitInDoubt ? 'lost' : classifyError(error)
  if (kind === null) throw error
  if (kind === 'full' || !limit.mayRetry) throw databaseUnavailable(error)
  await wait(kind === 'conflict' ? pauseMs(tries, 4, 200) : pauseMs(tries, 40, 500))
}

async function tryOnce<T>(server: Server, { work, limit, repeatable }: Attempt<T>): Promise<T> {
  const session = new Session(server, await server.take(limit.statementMs), limit)
  let inDoubt: ((cause: unknown) => Error) | null = null
  try {
    await session.ask('START TRANSACTION')
    const result = await work(session)
    if (session.wrote && !repeatable) {
      const marker = newCommitMarker()
      await session.ask(INSERT_MARKER, [marker])
      inDoubt = (cause) => new CommitInDoubt(marker, result, cause)
    }
    await session.end('COMMIT')
    return result
  } catch (error) {
    await session.abandon()
    throw inDoubt ? inDoubt(error) : error
  }
}

/** Connection of one attempt of a transaction. Statements after its end are refused. */
class Session implements Statements {
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

  ask(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    if (this.isOver) return Promise.reject(new Error('the transaction is over'))
    return this.server.ask(this.connection, sql, parameters, this.limit.statementMs)
  }

  async rows(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return (await this.ask(sql, parameters)) as unknown[]
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<number> {
    this.wrote = true
    return ((await this.ask(sql, parameters)) as ResultSetHeader).affectedRows
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const ended = this.ask(how)
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

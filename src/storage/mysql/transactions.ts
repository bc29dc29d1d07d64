import { setTimeout as wait } from 'node:timers/promises'
import type { PoolConnection, ResultSetHeader } from 'mysql2'
import { type TimeLimit, databaseUnavailable, pauseMs } from '../timeouts.ts'
import type { Statements } from '../transaction.ts'
import { hasCommitted, INSERT_MARKER, newCommitMarker } from './commit-markers.ts'
import { classifyError } from './error-classifier.ts'
import type { Server } from './server.ts'

/** A transaction that wrote, and whose COMMIT was not answered. */
class CommitInDoubt<T> extends Error {
  override readonly name = 'CommitInDoubt'

  constructor(
    readonly mark: string,
    readonly result: T,
    cause: unknown,
  ) {
    super('the connection was lost while a transaction committed', { cause })
  }
}

interface Attempt<T> {
  readonly work: (statements: Statements) => Promise<T>
  readonly limit: TimeLimit
  /** Whether running twice does no more than running once. */
  readonly repeatable: boolean
}

/** Runs a transaction, again from its beginning as long as the server or the link is to blame for its failure. */
export async function transact<T>(server: Server, attempt: Attempt<T>): Promise<T> {
  const { limit } = attempt
  for (let tries = 0; ; tries++) {
    try {
      return await tryOnce(server, attempt)
    } catch (error) {
      if (error instanceof CommitInDoubt && (await hasCommitted(server, error.mark, limit)))
        return error.result as T
      await beforeAnotherTry(error, limit, tries)
    }
  }
}

/** Waits as it makes sense for what failed, or throws what is to be said. */
export async function beforeAnotherTry(error: unknown, limit: TimeLimit, tries: number): Promise<void> {
  const fault = error instanceof CommitInDoubt ? 'lost' : classifyError(error)
  if (fault === null) throw error
  if (fault === 'full' || !limit.mayRetry) throw databaseUnavailable(error)
  await wait(fault === 'conflict' ? pauseMs(tries, 4, 200) : pauseMs(tries, 40, 500))
}

async function tryOnce<T>(server: Server, { work, limit, repeatable }: Attempt<T>): Promise<T> {
  const session = new Session(server, await server.take(limit.statementMs), limit)
  let inDoubt: ((cause: unknown) => Error) | null = null
  try {
    await session.ask('START TRANSACTION')
    const result = await work(session)
    if (session.wrote && !repeatable) {
      const mark = newCommitMarker()
      await session.ask(INSERT_MARKER, [mark])
      inDoubt = (cause) => new CommitInDoubt(mark, result, cause)
    }
    await session.end('COMMIT')
    return result
  } catch (error) {
    await session.abandon()
    throw inDoubt ? inDoubt(error) : error
  }
}

/** A connection for one try of a transaction. What is asked of it afterwards is refused. */
class Session implements Statements {
  wrote = false
  private over = false

  constructor(
    private readonly server: Server,
    private readonly connection: PoolConnection,
    private readonly limit: TimeLimit,
  ) {}

  get maxBytes(): number {
    return this.server.maxStatementBytes
  }

  ask(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    if (this.over) return Promise.reject(new Error('the transaction is over'))
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
    this.over = true
    await ended
    this.connection.release()
  }

  /** Undoes what was done; a connection that cannot is closed, and the server undoes it. */
  async abandon(): Promise<void> {
    if (this.over) return this.connection.destroy()
    await this.end('ROLLBACK').catch(() => this.connection.destroy())
  }
}

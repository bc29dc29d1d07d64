import { setTimeout as wait } from 'node:timers/promises'
import { DataSource, type QueryRunner } from 'typeorm'
import { makePrivateFile } from '../../platform/private-files.ts'
import { isTransient, sqliteOptions } from '../sql/dialect.ts'
import { type TimeLimit, databaseUnavailable, DatabaseTimeout, pauseMs } from '../timeouts.ts'
import type { Store } from '../store.ts'
import type { Statements } from '../transaction.ts'

/**
 * Opens an embedded database, with one connection for transactions and one for reads. A read on the connection for
 * transactions would see uncommitted rows.
 */
export async function openSqlite(path: string): Promise<Store> {
  makePrivateFile(path)
  const writer = await new DataSource(sqliteOptions(path)).initialize()
  const reader = await new DataSource(sqliteOptions(path)).initialize()
  const exclusive = createMutex()
  return {
    rows: (sql, parameters, limit) =>
      retryWhileBusy(() => reader.query<unknown[]>(sql, [...parameters]), limit),
    transaction: (work, limit) =>
      retryWhileBusy(() => exclusive(() => runTransaction(writer.createQueryRunner(), work), limit), limit),
    replica: () => null,
    pool: () => null,
    async close() {
      await reader.destroy()
      await exclusive(() => writer.destroy())
    },
  }
}

/**
 * Runs a transaction that takes the write lock before its first read. A transaction that reads first keeps that
 * snapshot: if another process writes then, SQLite refuses every write of the transaction.
 */
async function runTransaction<T>(
  runner: QueryRunner,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  await runner.query('BEGIN IMMEDIATE')
  try {
    const result = await work(statementsOf(runner))
    await runner.query('COMMIT')
    return result
  } catch (error) {
    await runner.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

const statementsOf = (runner: QueryRunner): Statements => ({
  maxBytes: Infinity,
  rows: (sql, parameters) => runner.query(sql, [...parameters]),
  async run(sql, parameters) {
    const result = await runner.query(sql, [...parameters], true)
    return Number(result.affected ?? 0)
  },
})

/** Retries work while another process, such as a backup, locks the file. */
async function retryWhileBusy<T>(work: () => Promise<T>, limit: TimeLimit): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (needsOperator(error)) throw databaseUnavailable(error)
      if (!isTransient(error) && !(error instanceof DatabaseTimeout)) throw error
      if (!limit.mayRetry) throw databaseUnavailable(error)
      await wait(pauseMs(tries, { firstMs: 4, maxMs: 200 }))
    }
  }
}

/** Whether the disk is full, or the file cannot be opened or written. A retry does not help: an operator must act. */
const needsOperator = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN)/.test(String((error as { code?: unknown }).code))

/**
 * Creates a mutex. It runs one work at a time, in the order of the calls. With a limit, it rejects work that cannot
 * start in time.
 */
function createMutex() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>, limit?: TimeLimit): Promise<T> => {
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    const result = last.then(() => {
      clearTimeout(timer)
      return isLate ? Promise.reject(new DatabaseTimeout(0)) : work()
    })
    last = result.catch(() => undefined)
    if (!limit) return result
    const timeout = new Promise<never>((_, reject) => {
      const ms = limit.statementMs
      timer = setTimeout(() => {
        isLate = true
        reject(new DatabaseTimeout(ms))
      }, ms)
    })
    return Promise.race([result, timeout])
  }
}

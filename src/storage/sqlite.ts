import { setTimeout as wait } from 'node:timers/promises'
import { DataSource, type QueryRunner } from 'typeorm'
import { makePrivateFile } from '../platform/private-files.ts'
import { mayRunAgain, sqliteOptions } from './sql/dialect.ts'
import { type TimeLimit, databaseUnavailable, DatabaseTimeout, pauseMs } from './timeouts.ts'
import type { Store } from './store.ts'
import type { Statements } from './transaction.ts'

/**
 * Opens an embedded database, with one connection for transactions and one for reads: a read on the former would see
 * uncommitted rows.
 */
export async function openSqlite(path: string): Promise<Store> {
  makePrivateFile(path)
  const source = await new DataSource(sqliteOptions(path)).initialize()
  const reader = await new DataSource(sqliteOptions(path)).initialize()
  const exclusive = createMutex()
  return {
    rows: (sql, parameters, limit) => whileBusy(() => reader.query<unknown[]>(sql, [...parameters]), limit),
    transaction: (work, limit) =>
      whileBusy(() => exclusive(() => runTransaction(source.createQueryRunner(), work), limit), limit),
    replica: () => null,
    pool: () => null,
    async close() {
      await reader.destroy()
      await exclusive(() => source.destroy())
    },
  }
}

/**
 * Takes the write lock before the first read. Otherwise SQLite refuses the first write if another process wrote in
 * between, and keeps the read snapshot, so that every further write is refused too.
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

/** Retries while another process locks the file, such as a backup. */
async function whileBusy<T>(work: () => Promise<T>, limit: TimeLimit): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (isFull(error)) throw databaseUnavailable(error)
      if (!mayRunAgain(error) && !(error instanceof DatabaseTimeout)) throw error
      if (!limit.mayRetry) throw databaseUnavailable(error)
      await wait(pauseMs(tries, 4, 200))
    }
  }
}

/** Whether the disk is full, or the file cannot be written. Only an operator can help. */
const isFull = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN)/.test(String((error as { code?: unknown }).code))

/** Runs work one at a time, in the order of the calls. With a limit, work that cannot start in time is rejected. */
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

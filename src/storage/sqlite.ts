import { setTimeout as wait } from 'node:timers/promises'
import { DataSource, type QueryRunner } from 'typeorm'
import { mayRunAgain, sqliteOptions } from './sql/dialect.ts'
import { type TimeLimit, databaseUnavailable, DatabaseTimeout, pauseMs } from './timeouts.ts'
import type { Store } from './store.ts'
import type { Statements } from './transaction.ts'

/**
 * Opens an embedded database. It has one connection for its transactions, so reads must not run on it: they would see
 * what is not committed.
 */
export async function openSqlite(path: string): Promise<Store> {
  const source = await new DataSource(sqliteOptions(path)).initialize()
  const reader = await new DataSource(sqliteOptions(path)).initialize()
  const alone = oneAtATime()
  return {
    rows: (sql, parameters, limit) => whileBusy(() => reader.query<unknown[]>(sql, [...parameters]), limit),
    transaction: (work, limit) =>
      whileBusy(() => alone(() => writing(source.createQueryRunner(), work), limit), limit),
    replica: () => null,
    pool: () => null,
    async close() {
      await reader.destroy()
      await alone(() => source.destroy())
    },
  }
}

/**
 * Takes the right to write before it reads: where another process wrote between a read and a write, SQLite would refuse
 * the write, and the refused statement would keep what is read as it was, so that every further write is refused too.
 */
async function writing<T>(runner: QueryRunner, work: (statements: Statements) => Promise<T>): Promise<T> {
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

/** Another process has the file, such as one that makes a copy of it. */
async function whileBusy<T>(work: () => Promise<T>, limit: TimeLimit): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!mayRunAgain(error) && !(error instanceof DatabaseTimeout)) throw error
      if (!limit.mayRetry) throw databaseUnavailable(error)
      await wait(pauseMs(tries, 4, 200))
    }
  }
}

/** Each waits for the one before, no longer than its limit; without one it waits for its turn. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>, limit?: TimeLimit): Promise<T> => {
    let late = false
    let timer: NodeJS.Timeout | undefined
    const mine = last.then(() => {
      clearTimeout(timer)
      return late ? Promise.reject(new DatabaseTimeout(0)) : work()
    })
    last = mine.catch(() => undefined)
    if (!limit) return mine
    const tooLate = new Promise<never>((_, reject) => {
      const ms = limit.statementMs
      timer = setTimeout(() => {
        late = true
        reject(new DatabaseTimeout(ms))
      }, ms)
    })
    return Promise.race([mine, tooLate])
  }
}

import type { Database } from '../../storage/database.ts'

/** Wraps a database with a concurrency limit, so that many endpoints cannot take every pooled connection. */
export function limitConcurrency(db: Database, limit: number): Database {
  const waiting: (() => void)[] = []
  let running = 0
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < limit) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
  return {
    ...db,
    rows: (sql, parameters) => limited(() => db.rows(sql, parameters)),
    transaction: (work, again) => limited(() => db.transaction(work, again)),
  }
}

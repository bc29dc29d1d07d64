import type { Database } from '../../storage/database.ts'

/** The same database, of which no more than so much is asked at once: thousands of endpoints leave room for others. */
export function limitConcurrency(db: Database, most: number): Database {
  const waiting: (() => void)[] = []
  let running = 0
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running++
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
    rows: (sql, parameters) => inTurn(() => db.rows(sql, parameters)),
    transaction: (work, again) => inTurn(() => db.transaction(work, again)),
  }
}

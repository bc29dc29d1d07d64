import { createConcurrencyLimit } from '../../platform/lifecycle/concurrency-limit.ts'
import type { Database } from '../../storage/database.ts'

/** Wraps a database with a concurrency limit, so that many endpoints cannot take every pooled connection. */
export function limitConcurrency(db: Database, limit: number): Database {
  const limited = createConcurrencyLimit(limit)
  return {
    ...db,
    rows: (sql, parameters) => limited(() => db.rows(sql, parameters)),
    transaction: (work, again) => limited(() => db.transaction(work, again)),
  }
}

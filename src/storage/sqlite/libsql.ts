import { createRequire } from 'node:module'

/** Connection to a database file, for use without TypeORM. */
export interface Handle {
  exec(sql: string): void
  prepare(sql: string): { all(...parameters: unknown[]): unknown[]; run(...parameters: unknown[]): unknown }
  close(): void
}

export const Libsql = createRequire(import.meta.url)('libsql') as new (path: string) => Handle

/** Whether another connection has a lock on the file. */
export const isBusy = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Rows } from './database.ts'
import { insertSql } from './sql/dialect.ts'
import type { Table } from './sql/table.ts'

/** The embedded database as a file: to copy it while it is in use, and to put a copy in its place. */

interface Handle {
  exec(sql: string): void
  prepare(sql: string): { all(...parameters: unknown[]): unknown[]; run(...parameters: unknown[]): unknown }
  close(): void
}

const Libsql = createRequire(import.meta.url)('libsql') as new (path: string) => Handle

/** Somebody has the database open. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

const LOCK_WAIT_MS = 1000

function withHandle<T>(path: string, work: (handle: Handle) => T): T {
  const handle = new Libsql(path)
  try {
    handle.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
    return work(handle)
  } finally {
    handle.close()
  }
}

/**
 * Writes what the database holds at one moment into a new file, while others read and write. The file is there only
 * once it is whole; it is for its owner alone, as is what it holds.
 */
export function copyDatabase(from: string, to: string): void {
  const partial = `${to}.partial`
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    withHandle(from, (handle) => handle.prepare('VACUUM INTO ?').run(partial))
    synced(partial)
    if (existsSync(to)) throw new Error(`${to} is there already`)
    renameSync(partial, to)
    synced(dirname(to))
  } finally {
    rmSync(partial, { force: true })
  }
}

/** What is wrong with a file as a database; none where it is whole. */
export function flawsOf(path: string): readonly string[] {
  const found = withHandle(path, (handle) => handle.prepare('PRAGMA integrity_check').all())
  return (found as { integrity_check: string }[])
    .map(({ integrity_check: flaw }) => flaw)
    .filter((flaw) => flaw !== 'ok')
}

/** Reads a file without turning it into a database that is in use. */
export const rowsOfFile = (path: string): Rows & { readonly dialect: 'sqlite' } => ({
  dialect: 'sqlite',
  rows: async <T>(sql: string, parameters: readonly unknown[] = []) =>
    withHandle(path, (handle) => handle.prepare(sql).all(...parameters) as T[]),
})

/** Writes a row into a file that nobody else has open. */
export function insertIntoFile<Row extends object>(path: string, table: Table<Row>, row: Row): void {
  const sql = insertSql(table.name, table.columns, 1)
  withHandle(path, (handle) => handle.prepare(sql).run(...table.toValues(row)))
}

/**
 * Puts a whole file in the place of the database. A database that anybody has open is refused: only who is alone can
 * take it out of its write-ahead mode, and a process that died holds nothing.
 */
export function replaceDatabase(path: string, by: string): void {
  if (!existsSync(path)) return moveInto(path, by)
  withHandle(path, (old) => {
    try {
      old.prepare('PRAGMA journal_mode = DELETE').all()
      old.exec('PRAGMA locking_mode = EXCLUSIVE')
      old.exec('BEGIN EXCLUSIVE')
    } catch (cause) {
      const busy = String((cause as { code?: string }).code).startsWith('SQLITE_BUSY')
      throw busy ? new DatabaseInUse(`${path} is in use`, { cause }) : cause
    }
    moveInto(path, by)
    old.exec('ROLLBACK')
  })
}

/** A log of writes that was left beside another database must not be taken for this one's. */
function moveInto(path: string, by: string): void {
  for (const tail of ['-wal', '-shm', '-journal']) rmSync(`${path}${tail}`, { force: true })
  synced(by)
  renameSync(by, path)
  synced(dirname(path))
}

function synced(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Rows } from '../database.ts'
import { type Handle, isBusy, Libsql } from './libsql.ts'
import { insertSql } from '../sql/dialect.ts'
import type { Table } from '../sql/table.ts'

/**
 * Backup and restore of the embedded database as a file. A backup works while the database is in use; a restore refuses
 * such a database.
 */

/** Error: the database cannot be replaced, because another process has it open. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/** Maximum time that a statement waits for the lock of another process. */
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
 * Copies a snapshot of the database into a new file, while other processes read and write. The file appears under its
 * name only when it is complete, and only its owner may read it.
 */
export function copyDatabase(from: string, to: string): void {
  const partial = `${to}.partial`
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    withHandle(from, (handle) => handle.prepare('VACUUM INTO ?').run(partial))
    fsyncPath(partial)
    if (existsSync(to)) throw new Error(`${to} already exists`)
    renameSync(partial, to)
    fsyncPath(dirname(to))
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Returns the errors of SQLite's integrity check; none if the file is a valid database. */
export function integrityErrorsOf(path: string): readonly string[] {
  const rows = withHandle(path, (handle) => handle.prepare('PRAGMA integrity_check').all())
  return (rows as { integrity_check: string }[])
    .map(({ integrity_check: result }) => result)
    .filter((result) => result !== 'ok')
}

/** Reads a database file. It opens a handle for each statement, so that the file is not in use between statements. */
export const rowsOfFile = (path: string): Rows & { readonly dialect: 'sqlite' } => ({
  dialect: 'sqlite',
  rows: async <T>(sql: string, parameters: readonly unknown[] = []) =>
    withHandle(path, (handle) => handle.prepare(sql).all(...parameters) as T[]),
})

/** Inserts a row into a database file that no other process has open. */
export function insertIntoFile<Row extends object>(path: string, table: Table<Row>, row: Row): void {
  const sql = insertSql(table.name, table.columns, 1)
  withHandle(path, (handle) => handle.prepare(sql).run(...table.toValues(row)))
}

/**
 * Replaces the database with another file. Throws `DatabaseInUse` if another process has the database open: SQLite then
 * refuses to leave the write-ahead mode. A process that has died does not prevent it.
 */
export function replaceDatabase(path: string, replacement: string): void {
  if (!existsSync(path)) return moveInto(path, replacement)
  withHandle(path, (old) => {
    try {
      old.prepare('PRAGMA journal_mode = DELETE').all()
      old.exec('PRAGMA locking_mode = EXCLUSIVE')
      old.exec('BEGIN EXCLUSIVE')
    } catch (cause) {
      throw isBusy(cause) ? new DatabaseInUse(`another process has ${path} open`, { cause }) : cause
    }
    moveInto(path, replacement)
    old.exec('ROLLBACK')
  })
}

/** Moves a file to a path. Removes the journals of the old database first: SQLite would apply them to the new one. */
function moveInto(path: string, replacement: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true })
  fsyncPath(replacement)
  renameSync(replacement, path)
  fsyncPath(dirname(path))
}

function fsyncPath(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

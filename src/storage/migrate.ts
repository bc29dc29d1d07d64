import { setTimeout } from 'node:timers/promises'
import { DataSource, type QueryRunner } from 'typeorm'
import { type MysqlServer, parseMysqlUrl } from '../platform/config/mysql-url.ts'
import { makePrivateFile } from '../platform/private-files.ts'
import type { Rows } from './database.ts'
import {
  addColumns,
  createTable,
  type Dialect,
  alreadyExists,
  isTransient,
  sqliteOptions,
  type TableDefinition,
} from './sql/dialect.ts'
import { type MigrationState, migrationState } from './migration-state.ts'
import { typeormOptions } from './mysql/options.ts'
import { SESSION_SETTINGS } from './mysql/session-settings.ts'
import { type Migration, migrations } from './migrations/migrations.ts'

/** Location of a database: the server at `mysqlUrl`, or without one the file at `sqlitePath`. */
export interface DatabaseLocation {
  readonly mysqlUrl?: string | undefined
  readonly sqlitePath: string
}

/** Receives the progress of migrations, line by line. */
export interface Progress {
  info(line: string): void
  warn(line: string): void
}

export interface MigrationOptions {
  readonly progress?: Progress
  /**
   * Time limit of a statement that waits for the lock of a table. It is short, because later statements on the table
   * wait behind this one.
   */
  readonly lockWaitSeconds?: number
  /** Pause before a failed migration is tried again. */
  readonly pauseMs?: number
  /** Migrations to apply; by default all of this version. */
  readonly list?: readonly Migration[]
  /** Step that follows the migrations under the same lock, if it is due. */
  readonly afterwards?: MigrationStep
}

/** Work on the database that is no migration, because it depends on settings. */
export interface MigrationStep {
  isDue(runner: QueryRunner): Promise<boolean>
  run(runner: QueryRunner, options: MigrationOptions): Promise<void>
}

const TABLE_LOCK_WAIT_SECONDS = 5
const PAUSE_MS = 5000
const MAX_ATTEMPTS = 30
/** Maximum attempts after "already exists" errors. The next attempt finds what another process created. */
const MAX_EXISTS_ATTEMPTS = 3
/** Time that one try to acquire the migration lock waits. */
const MIGRATION_LOCK_WAIT_SECONDS = 5

const silent: Progress = { info: () => undefined, warn: () => undefined }

/** Applies the pending migrations in order, under a lock, so that only one process migrates at a time. */
export async function migrate(location: DatabaseLocation, options: MigrationOptions = {}): Promise<void> {
  const { list = migrations, progress = silent, afterwards } = options
  await withRunner(location, async (runner) => {
    const before = await migrationState(rowsOf(runner), list)
    warnOfNewer(before, progress)
    if (before.pending.length === 0 && !(await afterwards?.isDue(runner))) return
    await withMigrationLock(runner, options, async () => {
      await createMigrationsTable(runner)
      const { pending } = await migrationState(rowsOf(runner), list)
      for (const migration of list)
        if (pending.includes(migration.name)) await apply(runner, migration, options)
      await afterwards?.run(runner, options)
    })
  })
}

/** Warns if a newer version has migrated the database. This version works with the tables of a newer one. */
export function warnOfNewer({ newer }: MigrationState, progress: Progress): void {
  if (newer.length > 0)
    progress.warn(`the database is newer than this version, which does not know ${newer.join(', ')}`)
}

/** Runs work on its own connection, without time limits, because a statement on a large table takes long. */
export async function withRunner<T>(
  { mysqlUrl, sqlitePath }: DatabaseLocation,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  if (!mysqlUrl) makePrivateFile(sqlitePath)
  const source = mysqlUrl
    ? await firstToAnswer(parseMysqlUrl(mysqlUrl))
    : await new DataSource(sqliteOptions(sqlitePath)).initialize()
  const runner = source.createQueryRunner()
  try {
    if (mysqlUrl) for (const sql of SESSION_SETTINGS) await runner.query(sql)
    return await work(runner)
  } finally {
    await runner.release()
    await source.destroy()
  }
}

/** Connects to the first node that answers. It tries the nodes in the same order as the pool. */
async function firstToAnswer([server, ...others]: readonly MysqlServer[]): Promise<DataSource> {
  const source = new DataSource(typeormOptions(server as MysqlServer))
  return others.length === 0 ? source.initialize() : source.initialize().catch(() => firstToAnswer(others))
}

export const dialectOf = (runner: QueryRunner): Dialect =>
  runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'

export const rowsOf = (runner: QueryRunner): Rows & { readonly dialect: Dialect } => ({
  dialect: dialectOf(runner),
  rows: (sql, parameters = []) => runner.query(sql, [...parameters]),
})

/**
 * Runs work under the migration lock. For a file, the lock is a transaction around the work. For a server, it is a
 * named lock that ends with the connection.
 */
async function withMigrationLock(
  runner: QueryRunner,
  options: MigrationOptions,
  work: () => Promise<void>,
): Promise<void> {
  const { progress = silent, lockWaitSeconds = TABLE_LOCK_WAIT_SECONDS } = options
  const isMysql = dialectOf(runner) === 'mysql'
  const acquire = isMysql ? acquireLock : beginExclusive
  while (!(await acquire(runner))) progress.warn('another process is migrating the database: waiting for it')
  if (isMysql) {
    await runner.query('SET SESSION lock_wait_timeout = ?', [lockWaitSeconds])
    return work()
  }
  try {
    await work()
    await runner.query('COMMIT')
  } catch (error) {
    await runner.query('ROLLBACK')
    throw error
  }
}

async function acquireLock(runner: QueryRunner): Promise<boolean> {
  const [{ acquired }] = await runner.query(
    "SELECT GET_LOCK(CONCAT('odograph migrations ', MD5(DATABASE())), ?) AS acquired",
    [MIGRATION_LOCK_WAIT_SECONDS],
  )
  if (acquired === null) throw new Error('the database server failed to grant the migration lock')
  return Number(acquired) === 1
}

async function beginExclusive(runner: QueryRunner): Promise<boolean> {
  try {
    await runner.query('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (isTransient(error)) return false
    throw error
  }
}

async function apply(runner: QueryRunner, migration: Migration, options: MigrationOptions): Promise<void> {
  const { progress = silent } = options
  const { name } = migration
  progress.info(`applying ${name}`)
  const startedAt = performance.now()
  await withLockRetries(name, options, () => migration.up(runner))
  await runner.query('INSERT INTO `migrations` (`timestamp`, `name`, `appliedAt`) VALUES (?, ?, ?)', [
    Number(/\d+$/.exec(name)?.[0] ?? 0),
    name,
    Date.now(),
  ])
  progress.info(`applied ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/**
 * Runs a migration again if the wait for a table lock timed out, or if another process has created the same object. The
 * migration lock does not prevent the latter in a cluster: it holds on one node only.
 */
export async function withLockRetries(
  name: string,
  { progress = silent, pauseMs = PAUSE_MS }: MigrationOptions,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) && !(alreadyExists(error) && attempt < MAX_EXISTS_ATTEMPTS)) throw error
      if (attempt === MAX_ATTEMPTS)
        throw new Error(
          `${name}: a table stays locked; end the transactions that are open on it, then migrate again`,
          { cause: error },
        )
      progress.warn(`${name}: a table is in use; trying again in ${pauseMs / 1000} s`)
      await setTimeout(pauseMs)
    }
  }
}

/** Table of the applied migrations. `appliedAt` is null for those that older versions applied. */
const migrationsTable: TableDefinition = {
  name: 'migrations',
  columns: `
    id SEQUENCE
    timestamp INSTANT NOT NULL
    name TEXT NOT NULL
    appliedAt INSTANT NULL`,
}

async function createMigrationsTable(runner: QueryRunner): Promise<void> {
  const dialect = dialectOf(runner)
  for (const sql of createTable(dialect, migrationsTable)) await runner.query(sql)
  await addColumns(runner, dialect, migrationsTable.name, 'appliedAt INSTANT NULL')
}

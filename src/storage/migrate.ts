import { setTimeout } from 'node:timers/promises'
import { DataSource, type QueryRunner } from 'typeorm'
import { type MysqlServer, parseMysqlUrl } from '../platform/config/mysql-url.ts'
import type { Rows } from './database.ts'
import {
  addColumns,
  createTable,
  type Dialect,
  isMadeAlready,
  mayRunAgain,
  sqliteOptions,
  type TableDefinition,
} from './sql/dialect.ts'
import { type MigrationState, migrationState } from './migration-state.ts'
import { typeormOptions } from './mysql/options.ts'
import { SET_SQL_MODE } from './mysql/session-settings.ts'
import { type Migration, migrations } from './migrations/migrations.ts'

/** Where a database is: on a server, or else in a file. */
export interface DatabaseLocation {
  readonly mysqlUrl?: string | undefined
  readonly sqlitePath: string
}

/** Is told how it goes on, a line at a time. */
export interface Progress {
  info(line: string): void
  warn(line: string): void
}

export interface MigrationOptions {
  readonly progress?: Progress
  /** How long a statement may wait for those who use its table; they and who comes after them wait behind it. */
  readonly lockWaitSeconds?: number
  readonly pauseMs?: number
  readonly list?: readonly Migration[]
  /** What else is done with the tables while nobody else migrates. */
  readonly afterwards?: Step
}

export interface Step {
  isDue(runner: QueryRunner): Promise<boolean>
  run(runner: QueryRunner, migrating: MigrationOptions): Promise<void>
}

const LOCK_WAIT_SECONDS = 5
const PAUSE_MS = 5000
const ATTEMPTS = 30
/** What another process has made in between is there the next time. */
const MADE_ATTEMPTS = 3
const TAKE_SECONDS = 5

const silent: Progress = { info: () => undefined, warn: () => undefined }

/** Applies what is missing, in order, while no other process does. */
export async function migrate(place: DatabaseLocation, migrating: MigrationOptions = {}): Promise<void> {
  const { list = migrations, progress = silent, afterwards } = migrating
  await withRunner(place, async (runner) => {
    const before = await migrationState(rowsOf(runner), list)
    warnOfNewer(before, progress)
    if (before.pending.length === 0 && !(await afterwards?.isDue(runner))) return
    await withMigrationLock(runner, migrating, async () => {
      await makeRecord(runner)
      const { pending } = await migrationState(rowsOf(runner), list)
      for (const migration of list)
        if (pending.includes(migration.name)) await apply(runner, migration, migrating)
      await afterwards?.run(runner, migrating)
    })
  })
}

/** A newer version's tables still serve this one. */
export function warnOfNewer({ newer }: MigrationState, progress: Progress): void {
  if (newer.length > 0)
    progress.warn(`the database is newer than this version, which does not know ${newer.join(', ')}`)
}

/** A connection of its own: a statement here may take as long as a table is large. */
export async function withRunner<T>(
  { mysqlUrl, sqlitePath }: DatabaseLocation,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const source = mysqlUrl
    ? await firstToAnswer(parseMysqlUrl(mysqlUrl))
    : await new DataSource(sqliteOptions(sqlitePath)).initialize()
  const runner = source.createQueryRunner()
  try {
    if (mysqlUrl) await runner.query(SET_SQL_MODE)
    return await work(runner)
  } finally {
    await runner.release()
    await source.destroy()
  }
}

/** Of a cluster, the node that is asked later too. */
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

/** A file is held by a transaction around everything; a server's lock ends with the connection. */
async function withMigrationLock(
  runner: QueryRunner,
  migrating: MigrationOptions,
  work: () => Promise<void>,
): Promise<void> {
  const { progress = silent, lockWaitSeconds = LOCK_WAIT_SECONDS } = migrating
  const isMysql = dialectOf(runner) === 'mysql'
  const take = isMysql ? takeLock : beginAlone
  while (!(await take(runner))) progress.warn('another process is migrating the database: waiting for it')
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

async function takeLock(runner: QueryRunner): Promise<boolean> {
  const [{ had }] = await runner.query(
    "SELECT GET_LOCK(CONCAT('odograph migrations ', MD5(DATABASE())), ?) AS had",
    [TAKE_SECONDS],
  )
  if (had === null) throw new Error('the server gives no lock to migrate the database under')
  return Number(had) === 1
}

async function beginAlone(runner: QueryRunner): Promise<boolean> {
  try {
    await runner.query('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (mayRunAgain(error)) return false
    throw error
  }
}

async function apply(runner: QueryRunner, migration: Migration, migrating: MigrationOptions): Promise<void> {
  const { progress = silent } = migrating
  const { name } = migration
  progress.info(`applying ${name}`)
  const begun = performance.now()
  await withLockRetries(name, migrating, () => migration.up(runner))
  await runner.query('INSERT INTO `migrations` (`timestamp`, `name`, `appliedAt`) VALUES (?, ?, ?)', [
    Number(/\d+$/.exec(name)?.[0] ?? 0),
    name,
    Date.now(),
  ])
  progress.info(`applied ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

/**
 * Does again what did not get hold of a table, or met what another process has made in the meantime: under a cluster
 * a lock holds on one of its servers only.
 */
export async function withLockRetries(
  what: string,
  { progress = silent, pauseMs = PAUSE_MS }: MigrationOptions,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!mayRunAgain(error) && !(isMadeAlready(error) && attempt < MADE_ATTEMPTS)) throw error
      if (attempt === ATTEMPTS)
        throw new Error(`${what}: a table is never free; look which transactions stay open`, { cause: error })
      progress.warn(`${what}: a table is in use; trying again in ${pauseMs / 1000} s`)
      await setTimeout(pauseMs)
    }
  }
}

/** What has been applied. */
const record: TableDefinition = {
  name: 'migrations',
  columns: `
    id SEQUENCE
    timestamp INSTANT NOT NULL
    name TEXT NOT NULL
    appliedAt INSTANT NULL`,
}

async function makeRecord(runner: QueryRunner): Promise<void> {
  const dialect = dialectOf(runner)
  for (const sql of createTable(dialect, record)) await runner.query(sql)
  await addColumns(runner, dialect, record.name, 'appliedAt INSTANT NULL')
}

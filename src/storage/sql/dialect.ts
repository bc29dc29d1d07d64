import { createRequire } from 'node:module'
import type { DataSourceOptions, QueryRunner } from 'typeorm'
import { placeholders } from '../loaders/order-by-keys.ts'
import type { Where } from './where.ts'

/** The only file that knows how MySQL's and SQLite's SQL differ. Both quote identifiers with backticks. */
export type Dialect = 'mysql' | 'sqlite'

const types: Record<Dialect, Record<string, string>> = {
  mysql: {
    ID: 'varchar(48)',
    TEXT: 'varchar(255)',
    JSON: 'longtext',
    INSTANT: 'bigint',
    NUMBER: 'double',
    FLAG: 'tinyint',
    SEQUENCE: 'bigint NOT NULL AUTO_INCREMENT',
  },
  sqlite: {
    ID: 'text',
    TEXT: 'text',
    JSON: 'text',
    INSTANT: 'integer',
    NUMBER: 'real',
    FLAG: 'integer',
    SEQUENCE: 'integer PRIMARY KEY AUTOINCREMENT',
  },
}

export interface TableDefinition {
  readonly name: string
  /** Column definitions, a line each, with the type words of `types` above. */
  readonly columns: string
  /** Columns of the clustered key; absent where a SEQUENCE column is the key. */
  readonly primaryKey?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
}

/** The statements that make a table and its indexes; each can be run again. */
export function createTable(dialect: Dialect, table: TableDefinition): string[] {
  return dialect === 'mysql' ? [createInMysql(table)] : createInSqlite(table)
}

function createInMysql({ name, columns, primaryKey, unique = [], indexes = [] }: TableDefinition): string {
  const lines = [
    typed('mysql', columns),
    `PRIMARY KEY (${listed(primaryKey ?? sequencesIn(columns))})`,
    ...unique.map((key) => `UNIQUE KEY ${indexName(name, key)} (${listed(key)})`),
    ...indexes.map((key) => `KEY ${indexName(name, key)} (${listed(key)})`),
  ]
  return `CREATE TABLE IF NOT EXISTS \`${name}\` (${lines.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`
}

const sequencesIn = (columns: string) =>
  [...columns.matchAll(/(\w+) SEQUENCE/g)].map(([, name]) => String(name))

function createInSqlite({ name, columns, primaryKey, unique = [], indexes = [] }: TableDefinition): string[] {
  const key = primaryKey ? `, PRIMARY KEY (${listed(primaryKey)})` : ''
  const tail = primaryKey ? ' WITHOUT ROWID' : ''
  const index = (kind: string) => (on: readonly string[]) =>
    `CREATE ${kind} IF NOT EXISTS ${indexName(name, on)} ON \`${name}\` (${listed(on)})`
  return [
    `CREATE TABLE IF NOT EXISTS \`${name}\` (${typed('sqlite', columns)}${key})${tail}`,
    ...unique.map(index('UNIQUE INDEX')),
    ...indexes.map(index('INDEX')),
  ]
}

/** Adds to a table the columns that it does not have yet; it can be run again. */
export async function addColumns(
  runner: QueryRunner,
  dialect: Dialect,
  table: string,
  columns: string,
): Promise<void> {
  const there = await runner.query(
    dialect === 'mysql'
      ? 'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?'
      : 'SELECT name FROM pragma_table_xinfo(?)',
    [table],
  )
  const names = new Set((there as { name: string }[]).map(({ name }) => name))
  for (const line of linesOf(columns))
    if (!names.has(String(line.split(' ', 1)[0])))
      await runner.query(`ALTER TABLE \`${table}\` ADD COLUMN ${typed(dialect, line)}`)
}

/** Adds an index that a table does not have yet. */
export async function addIndex(
  runner: QueryRunner,
  dialect: Dialect,
  table: string,
  on: readonly string[],
): Promise<void> {
  const name = indexName(table, on)
  if (dialect === 'sqlite')
    return runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON \`${table}\` (${listed(on)})`)
  const [there] = await runner.query(
    'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? LIMIT 1',
    [table, name.replaceAll('`', '')],
  )
  if (!there) await runner.query(`CREATE INDEX ${name} ON \`${table}\` (${listed(on)})`)
}

const linesOf = (columns: string) =>
  columns
    .trim()
    .split('\n')
    .map((line) => line.trim())

const typed = (dialect: Dialect, columns: string) =>
  linesOf(columns)
    .map((line) => line.replace(/^(\w+) ([A-Z]+)/, (_, name, type) => `\`${name}\` ${types[dialect][type]}`))
    .join(', ')

const listed = (columns: readonly string[]) => columns.map((column) => `\`${column}\``).join(', ')
/** As long as MySQL lets a name be. */
const MAX_NAME_LENGTH = 64

const indexName = (table: string, columns: readonly string[]) =>
  `\`${`${table}_${columns.join('_')}`.slice(0, MAX_NAME_LENGTH)}\``

/** An insert of so many rows that replaces the columns of a row whose key is there already. */
export function upsertSql(
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  rowCount: number,
): string {
  const updated = columns.filter((column) => !key.includes(column))
  const conflict =
    dialect === 'mysql'
      ? `ON DUPLICATE KEY UPDATE ${updated.map((column) => `\`${column}\` = VALUES(\`${column}\`)`).join(', ')}`
      : `ON CONFLICT (${listed(key)}) DO UPDATE SET ${updated.map((column) => `\`${column}\` = excluded.\`${column}\``).join(', ')}`
  return `${insertSql(table, columns, rowCount)} ${conflict}`
}

/** An insert of a row that leaves alone the one whose key is there already. */
export function insertUnlessThereSql(
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  key: string,
): string {
  const conflict =
    dialect === 'mysql'
      ? `ON DUPLICATE KEY UPDATE \`${key}\` = \`${key}\``
      : `ON CONFLICT (\`${key}\`) DO NOTHING`
  return `${insertSql(table, columns, 1)} ${conflict}`
}

export function insertSql(table: string, columns: readonly string[], rowCount: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO \`${table}\` (${listed(columns)}) VALUES ${Array(rowCount).fill(row).join(', ')}`
}

/** Locks the rows that a transaction reads; SQLite's transactions are alone anyway. */
export const forUpdate = (dialect: Dialect): string => (dialect === 'mysql' ? ' FOR UPDATE' : '')

/** Locks them too, but passes over those that another transaction has locked. */
export const unlessLocked = (dialect: Dialect): string =>
  dialect === 'mysql' ? ' FOR UPDATE SKIP LOCKED' : ''

/**
 * Whether several columns together are among some tuples, at least one, of texts and whole numbers. SQLite looks them
 * up in a key of those columns only where it is told the type of each.
 */
export function tupleIn(
  dialect: Dialect,
  columns: readonly string[],
  tuples: readonly (readonly unknown[])[],
): Where {
  const tuple = `(${placeholders(columns.length)})`
  const all = Array(tuples.length).fill(tuple).join(', ')
  const isNumber = (at: number) => typeof tuples[0]?.[at] === 'number'
  const typed = columns.map((_, at) => `CAST(column${at + 1} AS ${isNumber(at) ? 'INTEGER' : 'TEXT'})`)
  const among = dialect === 'mysql' ? all : `SELECT ${typed.join(', ')} FROM (VALUES ${all})`
  return { sql: `(${listed(columns)}) IN (${among})`, parameters: tuples.flat() }
}

/**
 * Reads a table by one of its indexes. MariaDB would rather look a prefix of the index up and read on from there to
 * where a page begins than go to where it begins. SQLite needs no telling.
 */
export const byIndex = (dialect: Dialect, table: string, columns: readonly string[]): string =>
  dialect === 'mysql' ? ` FORCE INDEX (${indexName(table, columns)})` : ''

/** Whether an array in a JSON column, found by its path, holds the text of the one parameter. */
export const arrayHolds = (dialect: Dialect, column: string, path: string): string =>
  dialect === 'mysql'
    ? `JSON_CONTAINS(\`${column}\`, JSON_QUOTE(?), '${path}')`
    : `EXISTS (SELECT 1 FROM json_each(\`${column}\`, '${path}') AS item WHERE item.value = ?)`

/** How TypeORM opens an embedded database; libsql is better-sqlite3's interface with a prebuilt binary. */
export function sqliteOptions(path: string): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    database: path,
    driver: createRequire(import.meta.url)('libsql'),
    prepareDatabase: (database: { exec(sql: string): void }) => {
      database.exec('PRAGMA journal_mode = WAL')
      database.exec('PRAGMA synchronous = NORMAL')
      database.exec('PRAGMA busy_timeout = 5000')
    },
  }
}

/** A deadlock (1213), a lock not had in time (1205), a busy file: the whole transaction may run again. */
export const mayRunAgain = (error: unknown): boolean => {
  const { errno, code } = error as { errno?: number; code?: string }
  return errno === 1213 || errno === 1205 || String(code).startsWith('SQLITE_BUSY')
}

/** A table (1050), a column (1060) or an index (1061) is there already. */
export const isMadeAlready = (error: unknown): boolean =>
  [1050, 1060, 1061].includes(Number((error as { errno?: number }).errno))

/** The tables that have a column of the name that is the one parameter, a row for each column of their keys, in order. */
export const tablesWith = (dialect: Dialect): string =>
  dialect === 'mysql'
    ? `SELECT k.TABLE_NAME AS \`table\`, k.COLUMN_NAME AS \`column\` FROM information_schema.COLUMNS AS c
        JOIN information_schema.KEY_COLUMN_USAGE AS k
        ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
        WHERE c.TABLE_SCHEMA = DATABASE() AND c.COLUMN_NAME = ? ORDER BY k.TABLE_NAME, k.ORDINAL_POSITION`
    : `SELECT t.name AS \`table\`, k.name AS \`column\` FROM sqlite_master AS t
        JOIN pragma_table_xinfo(t.name) AS c JOIN pragma_table_xinfo(t.name) AS k
        WHERE t.type = 'table' AND c.name = ? AND k.pk > 0 ORDER BY t.name, k.pk`

import { createRequire } from 'node:module'
import type { DataSourceOptions } from 'typeorm'

/** The only file that knows how MySQL's and SQLite's SQL differ. Both quote identifiers with backticks. */
export type Dialect = 'mysql' | 'sqlite'

const types: Record<Dialect, Record<string, string>> = {
  mysql: {
    ID: 'varchar(48)',
    TEXT: 'varchar(255)',
    JSON: 'longtext',
    INSTANT: 'bigint',
    NUMBER: 'double',
    SEQUENCE: 'bigint NOT NULL AUTO_INCREMENT',
  },
  sqlite: {
    ID: 'text',
    TEXT: 'text',
    JSON: 'text',
    INSTANT: 'integer',
    NUMBER: 'real',
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
    `PRIMARY KEY (${listed(primaryKey ?? ['sequence'])})`,
    ...unique.map((key) => `UNIQUE KEY ${indexName(name, key)} (${listed(key)})`),
    ...indexes.map((key) => `KEY ${indexName(name, key)} (${listed(key)})`),
  ]
  return `CREATE TABLE IF NOT EXISTS \`${name}\` (${lines.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`
}

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

const typed = (dialect: Dialect, columns: string) =>
  columns
    .trim()
    .split('\n')
    .map((line) =>
      line.trim().replace(/^(\w+) ([A-Z]+)/, (_, name, type) => `\`${name}\` ${types[dialect][type]}`),
    )
    .join(', ')

const listed = (columns: readonly string[]) => columns.map((column) => `\`${column}\``).join(', ')
const indexName = (table: string, columns: readonly string[]) => `\`${table}_${columns.join('_')}\``

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

export function insertSql(table: string, columns: readonly string[], rowCount: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO \`${table}\` (${listed(columns)}) VALUES ${Array(rowCount).fill(row).join(', ')}`
}

/** Locks the rows that a transaction reads; SQLite's transactions are alone anyway. */
export const forUpdate = (dialect: Dialect): string => (dialect === 'mysql' ? ' FOR UPDATE' : '')

/** Whether an array in a JSON column, found by its path, holds the text of the one parameter. */
export const arrayHolds = (dialect: Dialect, column: string, path: string): string =>
  dialect === 'mysql'
    ? `JSON_CONTAINS(\`${column}\`, JSON_QUOTE(?), '${path}')`
    : `EXISTS (SELECT 1 FROM json_each(\`${column}\`, '${path}') AS item WHERE item.value = ?)`

/** How TypeORM reaches a MySQL or MariaDB server. */
export function mysqlOptions(url: string, poolSize: number): DataSourceOptions {
  return {
    type: 'mysql',
    url,
    poolSize,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
    connectTimeout: 5000,
    extra: { queueLimit: 1000 },
  }
}

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

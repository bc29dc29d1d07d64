import { createRequire } from 'node:module'
import type { DataSourceOptions, QueryRunner } from 'typeorm'
import { placeholders } from '../loaders/order-by-keys.ts'
import type { Where } from './where.ts'

/** SQL that differs between MySQL (or MariaDB) and SQLite. Both quote identifiers with backticks. */

export type Dialect = 'mysql' | 'sqlite'

/** Column types of each dialect, by the type names in `TableDefinition.columns`. */
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
  /** Column definitions, one per line, with the type names of `types` above. */
  readonly columns: string
  /** Columns of the primary key; absent if a SEQUENCE column is the key. */
  readonly primaryKey?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[])[]
}

/** Returns statements that create a table and its indexes. A statement does nothing if its object exists. */
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

/** Adds the missing columns to a table. A killed migration can therefore run again. */
export async function addColumns(
  runner: QueryRunner,
  dialect: Dialect,
  table: string,
  columns: string,
): Promise<void> {
  const existing = await columnsOf(runner, dialect, table)
  for (const line of linesOf(columns))
    if (!existing.has(nameIn(line)))
      await runner.query(`ALTER TABLE \`${table}\` ADD COLUMN ${typed(dialect, line)}`)
}

/** Permits null in a column without an index. SQLite cannot change a column, so another one takes its place. */
export async function makeNullable(
  runner: QueryRunner,
  dialect: Dialect,
  table: string,
  column: string,
): Promise<void> {
  if (dialect === 'mysql')
    return runner.query(`ALTER TABLE \`${table}\` MODIFY COLUMN ${typed(dialect, column)} NULL`)
  const [name, next] = [nameIn(column), `${nameIn(column)}_nullable`]
  const existing = await columnsOf(runner, dialect, table)
  if (existing.get(name)?.isNullable) return
  if (existing.has(name)) {
    await addColumns(runner, dialect, table, column.replace(name, next))
    await runner.query(`UPDATE \`${table}\` SET \`${next}\` = \`${name}\``)
    await runner.query(`ALTER TABLE \`${table}\` DROP COLUMN \`${name}\``)
  }
  await runner.query(`ALTER TABLE \`${table}\` RENAME COLUMN \`${next}\` TO \`${name}\``)
}

async function columnsOf(
  runner: QueryRunner,
  dialect: Dialect,
  table: string,
): Promise<ReadonlyMap<string, { readonly isNullable: boolean }>> {
  const columns = (await runner.query(
    dialect === 'mysql'
      ? `SELECT column_name AS name, is_nullable = 'YES' AS isNullable FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = ?`
      : 'SELECT name, NOT "notnull" AS isNullable FROM pragma_table_xinfo(?)',
    [table],
  )) as { readonly name: string; readonly isNullable: unknown }[]
  return new Map(columns.map(({ name, isNullable }) => [name, { isNullable: Boolean(Number(isNullable)) }]))
}

const nameIn = (column: string): string => String(column.split(' ', 1)[0])

/** Adds an index unless the table has it. */
export async function addIndex(
  runner: QueryRunner,
  dialect: Dialect,
  table: string,
  on: readonly string[],
): Promise<void> {
  const name = indexName(table, on)
  if (dialect === 'sqlite')
    return runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON \`${table}\` (${listed(on)})`)
  const [existing] = await runner.query(
    'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? LIMIT 1',
    [table, name.replaceAll('`', '')],
  )
  if (!existing) await runner.query(`CREATE INDEX ${name} ON \`${table}\` (${listed(on)})`)
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

/** Limit of MySQL for names. */
const MAX_NAME_LENGTH = 64

const indexName = (table: string, columns: readonly string[]) =>
  `\`${`${table}_${columns.join('_')}`.slice(0, MAX_NAME_LENGTH)}\``

/** Statement that inserts rows, or updates the columns of rows with the same key. */
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

/** Statement that inserts a row, unless a row with the same key exists. */
export function insertIfAbsentSql(
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

/** Suffix of a SELECT that locks the rows it reads. SQLite needs none: it runs one transaction at a time. */
export const forUpdate = (dialect: Dialect): string => (dialect === 'mysql' ? ' FOR UPDATE' : '')

/** Suffix of a SELECT that locks the rows it reads, and skips rows that another transaction has locked. */
export const unlessLocked = (dialect: Dialect): string =>
  dialect === 'mysql' ? ' FOR UPDATE SKIP LOCKED' : ''

/**
 * Time of the statement in ms, by the clock of the database: processes whose clocks differ share it. It does not
 * depend on the time zone of the session.
 */
export const databaseInstant = (dialect: Dialect): string =>
  dialect === 'mysql'
    ? "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000"
    : "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/**
 * Condition: several columns together equal one of the tuples. There must be at least one tuple. Values are texts or
 * whole numbers. SQLite uses an index of the columns only if the type of each value is explicit.
 */
export function tupleIn(
  dialect: Dialect,
  columns: readonly string[],
  tuples: readonly (readonly unknown[])[],
): Where {
  const tuple = `(${placeholders(columns.length)})`
  const all = Array(tuples.length).fill(tuple).join(', ')
  const isNumber = (index: number) => typeof tuples[0]?.[index] === 'number'
  const casts = columns.map(
    (_, index) => `CAST(column${index + 1} AS ${isNumber(index) ? 'INTEGER' : 'TEXT'})`,
  )
  const candidates = dialect === 'mysql' ? all : `SELECT ${casts.join(', ')} FROM (VALUES ${all})`
  return { sql: `(${listed(columns)}) IN (${candidates})`, parameters: tuples.flat() }
}

/**
 * Index hint for a list. Without it, MariaDB looks up only a prefix of the index and scans from there to the start of
 * the page. SQLite needs no hint.
 */
export const byIndex = (dialect: Dialect, table: string, columns: readonly string[]): string =>
  dialect === 'mysql' ? ` FORCE INDEX (${indexName(table, columns)})` : ''

/**
 * Index hint for both databases, for a long IN list of a column. SQLite expects few rows for each value of another index,
 * such as that of the application, and would read all of them.
 */
export const onlyByIndex = (dialect: Dialect, table: string, columns: readonly string[]): string =>
  dialect === 'mysql' ? byIndex(dialect, table, columns) : ` INDEXED BY ${indexName(table, columns)}`

/**
 * Hint that names an index of a table. Without it, an optimizer with old statistics may scan the table. SQLite needs no
 * hint.
 */
export const forceIndex = (dialect: Dialect, index: string): string =>
  dialect === 'mysql' ? ` FORCE INDEX (\`${index}\`)` : ''

/** Name of the index of every primary key. */
export const PRIMARY_KEY = 'PRIMARY'

/** Returns the start of a DELETE statement that reads a table by its primary key. */
export const deleteByKey = (dialect: Dialect, table: string): string =>
  dialect === 'mysql'
    ? `DELETE \`${table}\` FROM \`${table}\` FORCE INDEX (${PRIMARY_KEY})`
    : `DELETE FROM \`${table}\``

/** Condition: an array at a path of a JSON column contains the text of the one parameter. */
export const arrayHolds = (dialect: Dialect, column: string, path: string): string =>
  dialect === 'mysql'
    ? `JSON_CONTAINS(\`${column}\`, JSON_QUOTE(?), '${path}')`
    : `EXISTS (SELECT 1 FROM json_each(\`${column}\`, '${path}') AS item WHERE item.value = ?)`

/** Options of TypeORM for an embedded database. The driver is libsql: it has the interface of better-sqlite3. */
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

/** Whether the transaction can succeed if it runs again: deadlock (1213), lock time-out (1205), busy file. */
export const isTransient = (error: unknown): boolean => {
  const { errno, code } = error as { errno?: number; code?: string }
  return errno === 1213 || errno === 1205 || String(code).startsWith('SQLITE_BUSY')
}

/** Whether the error means that a table (1050), a column (1060) or an index (1061) exists already. */
export const alreadyExists = (error: unknown): boolean =>
  [1050, 1060, 1061].includes(Number((error as { errno?: number }).errno))

/**
 * Query for the tables that have a column with the name in its one parameter. It returns a row for each primary-key
 * column of such a table, in the order of the key.
 */
export const tablesWith = (dialect: Dialect): string =>
  dialect === 'mysql'
    ? `SELECT k.TABLE_NAME AS \`table\`, k.COLUMN_NAME AS \`column\` FROM information_schema.COLUMNS AS c
        JOIN information_schema.KEY_COLUMN_USAGE AS k
        ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
        WHERE c.TABLE_SCHEMA = DATABASE() AND c.COLUMN_NAME = ? ORDER BY k.TABLE_NAME, k.ORDINAL_POSITION`
    : `SELECT t.name AS \`table\`, k.name AS \`column\` FROM sqlite_master AS t
        JOIN pragma_table_xinfo(t.name) AS c JOIN pragma_table_xinfo(t.name) AS k
        WHERE t.type = 'table' AND c.name = ? AND k.pk > 0 ORDER BY t.name, k.pk`

/**
 * Query for the indexes of the tables that have a column with the name in its one parameter. It returns a row for each
 * column of an index, in the order of the index.
 */
export const indexesWith = (dialect: Dialect): string =>
  dialect === 'mysql'
    ? `SELECT s.TABLE_NAME AS \`table\`, s.INDEX_NAME AS \`index\`, s.COLUMN_NAME AS \`column\`
        FROM information_schema.COLUMNS AS c JOIN information_schema.STATISTICS AS s
        ON s.TABLE_SCHEMA = c.TABLE_SCHEMA AND s.TABLE_NAME = c.TABLE_NAME
        WHERE c.TABLE_SCHEMA = DATABASE() AND c.COLUMN_NAME = ?
        ORDER BY s.TABLE_NAME, s.INDEX_NAME, s.SEQ_IN_INDEX`
    : `SELECT t.name AS \`table\`, i.name AS \`index\`, k.name AS \`column\` FROM sqlite_master AS t
        JOIN pragma_table_xinfo(t.name) AS c JOIN pragma_index_list(t.name) AS i
        JOIN pragma_index_info(i.name) AS k
        WHERE t.type = 'table' AND c.name = ? ORDER BY t.name, i.name, k.seqno`

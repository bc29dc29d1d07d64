import type { QueryRunner } from 'typeorm'
import { type DatabaseLocation, dialectOf, withRunner } from '../../../src/storage/migrate.ts'
import { tableNames } from './migration-harness.ts'

/** Normalized description of a database schema, for comparison. */
export type Schema = Readonly<Record<string, TableShape>>

export interface TableShape {
  /** Column types by name: `varchar(48)`, `bigint null`. */
  readonly columns: Readonly<Record<string, string>>
  /** Indexes by their columns in order, sorted: `unique hash`, `applicationId, id`. */
  readonly indexes: readonly string[]
  readonly primaryKey: string
}

export const schemaOf = (place: DatabaseLocation): Promise<Schema> =>
  withRunner(place, async (runner) => {
    const shapeOf = dialectOf(runner) === 'sqlite' ? shapeInSqlite : shapeInMysql
    const schema: Record<string, TableShape> = {}
    for (const table of await tableNames(runner)) schema[table] = await shapeOf(runner, table)
    return schema
  })

interface MysqlColumn {
  readonly name: string
  readonly type: string
  readonly nullable: 'YES' | 'NO'
  readonly collation: string | null
  readonly extra: string
}

interface IndexedColumn {
  readonly key: string
  readonly unique: number
  readonly column: string
}

async function shapeInMysql(runner: QueryRunner, table: string): Promise<TableShape> {
  const columns: MysqlColumn[] = await runner.query(
    `SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE AS nullable, COLLATION_NAME AS collation,
      EXTRA AS extra FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?`,
    [table],
  )
  const indexed: IndexedColumn[] = await runner.query(
    `SELECT INDEX_NAME AS \`key\`, 1 - NON_UNIQUE AS \`unique\`, COLUMN_NAME AS \`column\`
      FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY INDEX_NAME, SEQ_IN_INDEX`,
    [table],
  )
  const definitionOf = ({ type, nullable, collation, extra }: MysqlColumn) =>
    [type.replace(/int\(\d+\)/, 'int'), collation, extra, nullable === 'YES' ? 'null' : '']
      .filter(Boolean)
      .join(' ')
  return {
    columns: Object.fromEntries(columns.map((column) => [column.name, definitionOf(column)])),
    indexes: listed(indexed.filter(({ key }) => key !== 'PRIMARY')),
    primaryKey: listed(indexed.filter(({ key }) => key === 'PRIMARY'))
      .join()
      .replace('unique ', ''),
  }
}

interface SqliteColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

async function shapeInSqlite(runner: QueryRunner, table: string): Promise<TableShape> {
  const columns: SqliteColumn[] = await runner.query(
    'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)',
    [table],
  )
  const indexed: IndexedColumn[] = await runner.query(
    `SELECT l.name AS key, l."unique", i.name AS "column" FROM pragma_index_list(?) AS l
      JOIN pragma_index_info(l.name) AS i WHERE l.origin <> 'pk' ORDER BY l.name, i.seqno`,
    [table],
  )
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  const isNull = ({ notnull, pk }: SqliteColumn) => notnull === 0 && pk === 0
  return {
    columns: Object.fromEntries(
      columns.map((column) => [column.name, affinityOf(column.type) + (isNull(column) ? ' null' : '')]),
    ),
    indexes: listed(indexed),
    primaryKey: key.map(({ name }) => name).join(', '),
  }
}

/** Returns SQLite's affinity of a type name: varchar(48) is text, and bigint is an integer. */
function affinityOf(type: string): string {
  const name = type.toUpperCase()
  if (name.includes('INT')) return 'integer'
  if (/CHAR|CLOB|TEXT/.test(name)) return 'text'
  return /REAL|FLOA|DOUB/.test(name) ? 'real' : `? ${type}`
}

function listed(indexed: readonly IndexedColumn[]): string[] {
  const keys = new Map<string, string>()
  for (const { key, unique, column } of indexed) {
    const before = keys.get(key)
    keys.set(key, before ? `${before}, ${column}` : `${Number(unique) === 1 ? 'unique ' : ''}${column}`)
  }
  return [...keys.values()].sort()
}

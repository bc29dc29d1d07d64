import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { migrate, withRunner } from '../../../src/storage/migrate.ts'

/**
 * Migrated databases for tests. Each worker runs the migrations once and copies or reuses the result. The
 * name of every database contains the run, so that the main process can remove what a killed worker leaves.
 */

export interface MigratedDatabase {
  open(): Promise<Database>
  remove(): Promise<void>
}

/** Time limit of a request. A busy machine must not turn a test red. */
export const PATIENCE_MS = 20_000

export const migratedDatabase = (dialect: Dialect): Promise<MigratedDatabase> =>
  dialect === 'mysql' ? migratedSchema() : migratedFile()

let template: Promise<string> | undefined

async function migratedFile(): Promise<MigratedDatabase> {
  template ??= migrateFile()
  const path = temporaryFile()
  await copyFile(await template, path)
  return {
    open: () => openDatabase({ sqlitePath: path, timeoutMs: PATIENCE_MS }),
    async remove() {
      for (const tail of ['', '-wal', '-shm']) await rm(`${path}${tail}`, { force: true })
    },
  }
}

async function migrateFile(): Promise<string> {
  await mkdir(folder(), { recursive: true })
  const path = temporaryFile()
  await migrate({ sqlitePath: path })
  // The rows are in the write-ahead log until this checkpoint, and only the file is copied.
  await withRunner({ sqlitePath: path }, (runner) => runner.query('PRAGMA wal_checkpoint(TRUNCATE)'))
  return path
}

const temporaryFile = () => join(folder(), `${randomUUID()}.db`)

const folder = () => join(tmpdir(), `odograph-test-${process.env['TEST_RUN']}`)

interface Schema {
  readonly name: string
  /** Statements that restore the state after the migrations. */
  readonly emptied: string
}

/** Unused schemas, each in the state after the migrations. */
const free: Schema[] = []

const DEFINES = /^\s*(ALTER|CREATE|DROP|RENAME|TRUNCATE)\b/i

async function migratedSchema(): Promise<MigratedDatabase> {
  const schema = free.pop() ?? (await migrateSchema())
  let redefined = false
  return {
    async open() {
      const db = await openDatabase({
        mysqlUrl: urlOf(schema.name),
        sqlitePath: '',
        poolSize: 4,
        timeoutMs: PATIENCE_MS,
      })
      db.onStatement((sql) => {
        if (DEFINES.test(sql)) redefined = true
      })
      return db
    },
    async remove() {
      if (redefined) return onServer((server) => server.query(`DROP DATABASE ${schema.name}`))
      await onServer((server) => server.query(schema.emptied), schema.name)
      free.push(schema)
    },
  }
}

async function migrateSchema(): Promise<Schema> {
  const name = `${prefix()}${randomUUID().replaceAll('-', '')}`
  await onServer((server) => server.query(`CREATE DATABASE ${name}`))
  await migrate({ mysqlUrl: urlOf(name), sqlitePath: '' })
  const statements: string[] = []
  await onServer(async (server) => {
    const [tables] = await server.query<RowDataPacket[]>('SHOW TABLES')
    for (const table of tables.flatMap((row) => Object.values(row) as string[])) {
      statements.push(`DELETE FROM \`${table}\``)
      const [rows] = await server.query<RowDataPacket[]>(`SELECT * FROM \`${table}\``)
      if (rows.length === 0) continue
      const columns = Object.keys(rows[0]!)
      const values = rows.map((row) => columns.map((column) => row[column] as unknown))
      statements.push(server.format(`INSERT INTO \`${table}\` (??) VALUES ?`, [columns, values]))
    }
  }, name)
  return { name, emptied: statements.join('; ') }
}

/** Removes the databases of this run's workers. */
export async function removeDatabases(): Promise<void> {
  await rm(folder(), { recursive: true, force: true })
  if (!process.env['MYSQL_URL']) return
  await onServer(async (server) => {
    const [schemas] = await server.query<RowDataPacket[]>('SHOW DATABASES LIKE ?', [`${prefix()}%`])
    for (const name of schemas.flatMap((row) => Object.values(row) as string[]))
      await server.query(`DROP DATABASE ${name}`)
  })
}

const prefix = () => `odograph_test_${process.env['TEST_RUN']}_`

function urlOf(schema: string): string {
  const url = new URL(process.env['MYSQL_URL'] ?? '')
  url.pathname = `/${schema}`
  return url.href
}

async function onServer(work: (server: Connection) => Promise<unknown>, schema = ''): Promise<void> {
  const server = await createConnection({ uri: urlOf(schema), multipleStatements: true })
  try {
    await work(server)
  } finally {
    await server.end()
  }
}

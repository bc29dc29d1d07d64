import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { QueryRunner } from 'typeorm'
import {
  type DatabaseLocation,
  dialectOf,
  type Progress,
  rowsOf,
  withRunner,
} from '../../../src/storage/migrate.ts'
import { type MigrationState, migrationState } from '../../../src/storage/migration-state.ts'
import type { Migration } from '../../../src/storage/migrations/migrations.ts'
import { type Home, makeHome, type Store } from '../../prove/support/service-process.ts'

/** An empty database that is removed on disposal. */
export interface EmptyDatabase extends AsyncDisposable {
  readonly home: Home
  readonly place: DatabaseLocation
}

export const placeOf = ({ environment, folder }: Home): DatabaseLocation => ({
  mysqlUrl: environment['MYSQL_URL'],
  sqlitePath: join(folder, 'odograph.db'),
})

export async function emptyDatabase(store: Store): Promise<EmptyDatabase> {
  const home = await makeHome(store)
  return { home, place: placeOf(home), [Symbol.asyncDispose]: () => home.remove() }
}

export const stateOf = (place: DatabaseLocation, known?: readonly Migration[]): Promise<MigrationState> =>
  withRunner(place, (runner) => migrationState(rowsOf(runner), known))

export interface RecordedProgress extends Progress {
  readonly lines: string[]
}

export function recordProgress(): RecordedProgress {
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  return { lines, info: note, warn: note }
}

/** Returns the DDL of every table as the database prints it. */
export const spelledOut = (place: DatabaseLocation): Promise<readonly string[]> =>
  withRunner(place, async (runner) => {
    if (dialectOf(runner) === 'sqlite') {
      const rows = await runner.query(
        "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      return (rows as { sql: string }[]).map(({ sql }) => sql)
    }
    const texts: string[] = []
    for (const table of await tableNames(runner)) {
      const [row] = await runner.query(`SHOW CREATE TABLE \`${table}\``)
      texts.push(String(row['Create Table']).replace(/ AUTO_INCREMENT=\d+/, ''))
    }
    return texts
  })

export async function tableNames(runner: QueryRunner): Promise<string[]> {
  const rows = await runner.query(
    dialectOf(runner) === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
      : 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME',
  )
  return (rows as { name: string }[]).map(({ name }) => name)
}

export interface Ended {
  readonly code: number
  readonly output: string
}

/** Runs `npm run migrate` as an operator does. */
export function runMigrate(
  { folder, environment }: Home,
  options: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { MYSQL_URL: _, ...rest } = process.env
  const program = join(process.cwd(), 'dist/src/cli/migrate.js')
  const env = { ...rest, ...environment, ...more }
  return new Promise((resolve) =>
    execFile(process.execPath, [program, '--data', folder, ...options], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    ),
  )
}

import { join } from 'node:path'
import { type Config, readConfig } from '../platform/config/config.ts'
import type { Rows } from '../storage/database.ts'
import { type Progress, rowsOf, withRunner } from '../storage/migrate.ts'
import { type MigrationState, migrationState } from '../storage/migration-state.ts'
import { migrateAndPartition } from '../storage/bootstrap.ts'
import { partitionsOf } from '../storage/series/partitions.ts'
import { seriesTables } from '../storage/series/series-tables.ts'
import { toIso } from '../domain/time.ts'

/** `npm run migrate`: applies the migrations, or prints the state of the database. */

const HELP = `Usage: npm run migrate -- [options]

Applies the migrations that the database lacks. If RETENTION_DAYS is set, it also
partitions the tables of positions and measurements by time. That rewrites the tables,
and syncs wait until it is done.

Options:
  --status    change nothing; list the migrations, exit with 1 if some are pending
  --data DIR  folder of the embedded database
  --help      print this

It reads the settings of the service: MYSQL_URL, DATA_DIR, RETENTION_DAYS.
`

const toStdout: Progress = {
  info: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stdout.write(`${line}\n`),
}

const args = process.argv.slice(2)
const result = readConfig(
  args.filter((arg) => arg !== '--status'),
  process.env,
)
if ('help' in result) process.stdout.write(HELP)
else if ('problems' in result) fail(2, result.problems.join('; '))
else await run(result.config).catch((error: Error) => fail(1, error.message))

async function run({ mysqlUrl, dataDir, retentionDays }: Config): Promise<void> {
  const location = { mysqlUrl, sqlitePath: join(dataDir, 'odograph.db') }
  if (!args.includes('--status')) {
    await migrateAndPartition(location, { retentionDays, includeLarge: true }, toStdout)
    process.stdout.write('the database is up to date\n')
    return
  }
  const { state, partitions } = await withRunner(location, async (runner) => ({
    state: await migrationState(rowsOf(runner)),
    partitions: mysqlUrl ? await partitionLines(rowsOf(runner)) : '',
  }))
  process.stdout.write(`${migrationLines(state)}${partitions}${summaryOf(state)}\n`)
  if (state.pending.length > 0) process.exitCode = 1
}

function migrationLines({ applied, pending, newer, appliedAt }: MigrationState): string {
  const width = Math.max(...[...applied, ...pending].map(({ length }) => length)) + 2
  const appliedText = (name: string) => {
    const time = appliedAt.get(name)
    return time === undefined ? 'applied' : `applied ${toIso(time)}`
  }
  const lines = [
    ...applied.map((name) => [
      name,
      appliedText(name) + (newer.includes(name) ? ', not known to this version' : ''),
    ]),
    ...pending.map((name) => [name, 'pending']),
  ]
  return lines.map(([name = '', status = '']) => `${name.padEnd(width)}${status}\n`).join('')
}

function summaryOf({ pending, newer }: MigrationState): string {
  if (pending.length > 0) return `${pending.length} pending: run \`npm run migrate\``
  return newer.length > 0 ? 'the database is newer than this version' : 'the database is up to date'
}

async function partitionLines(db: Rows): Promise<string> {
  const lines = await Promise.all(
    seriesTables.map(async (series) => {
      const { length } = await partitionsOf(db, series)
      return `${series.name}: ${length === 0 ? 'not partitioned' : `${length} partitions`}\n`
    }),
  )
  return lines.join('')
}

function fail(code: number, problem: string): never {
  process.stderr.write(`migrate: ${problem}\n`)
  process.exit(code)
}

import type { QueryRunner } from 'typeorm'
import type { Instant } from '../../domain/time.ts'
import { dialectOf, type MigrationOptions, withLockRetries, rowsOf, type MigrationStep } from '../migrate.ts'
import { missingBounds, isSmall, partitionsOf, partitionSql } from './partitions.ts'
import { type SeriesTable, seriesTables } from './series-tables.ts'

interface PartitionOptions {
  readonly retentionDays: number
  readonly now: Instant
  /** Whether large tables are also partitioned. That rewrites these tables, and blocks writes until it is done. */
  readonly includeLarge: boolean
}

/** Time limit of the lock at the end of a long rewrite. It is long, because a time-out discards the rewrite. */
const REWRITE_LOCK_WAIT_SECONDS = 60

/** Step that partitions the tables of time series without partitions. SQLite does not support partitions. */
export const ensurePartitions = (options: PartitionOptions): MigrationStep => ({
  isDue: async (runner) => (await dueIn(runner, options)).length > 0,
  async run(runner, migrationOptions) {
    for (const table of await dueIn(runner, options))
      await createPartitions(runner, table, options, migrationOptions)
  },
})

async function dueIn(runner: QueryRunner, { includeLarge }: PartitionOptions): Promise<SeriesTable[]> {
  if (dialectOf(runner) === 'sqlite') return []
  const due: SeriesTable[] = []
  for (const table of seriesTables)
    if (
      (await runner.hasTable(table.name)) &&
      (await partitionsOf(rowsOf(runner), table)).length === 0 &&
      (includeLarge || (await isSmall(rowsOf(runner), table)))
    )
      due.push(table)
  return due
}

async function createPartitions(
  runner: QueryRunner,
  table: SeriesTable,
  options: PartitionOptions,
  migrationOptions: MigrationOptions,
) {
  const sql = partitionSql(table, missingBounds([], options.retentionDays, options.now))
  if (await isSmall(rowsOf(runner), table))
    return withLockRetries(table.name, migrationOptions, () => runner.query(sql))
  migrationOptions.progress?.warn(`partitioning ${table.name} by time: the whole table is rewritten`)
  await runner.query('SET SESSION lock_wait_timeout = ?', [REWRITE_LOCK_WAIT_SECONDS])
  await runner.query(sql)
  migrationOptions.progress?.info(`partitioned ${table.name}`)
}

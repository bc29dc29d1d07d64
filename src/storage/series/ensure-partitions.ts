import type { QueryRunner } from 'typeorm'
import type { Instant } from '../../domain/time.ts'
import { dialectOf, type MigrationOptions, withLockRetries, rowsOf, type Step } from '../migrate.ts'
import { missingBounds, isSmall, partitionsOf, partitionSql } from './partitions.ts'
import { type SeriesTable, seriesTables } from './series-tables.ts'

interface PartitionOptions {
  readonly retentionDays: number
  readonly now: Instant
  /** Whether large tables are partitioned too. That rewrites them, and blocks writes meanwhile. */
  readonly includeLarge: boolean
}

/** Lock time limit at the end of a long rewrite, which would otherwise be lost. */
const LARGE_WAIT_SECONDS = 60

/** Partitions the tables of time series that have no partitions yet. SQLite has no partitions. */
export const ensurePartitions = (layout: PartitionOptions): Step => ({
  isDue: async (runner) => (await dueIn(runner, layout)).length > 0,
  async run(runner, migrating) {
    for (const table of await dueIn(runner, layout)) await createPartitions(runner, table, layout, migrating)
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
  layout: PartitionOptions,
  migrating: MigrationOptions,
) {
  const sql = partitionSql(table, missingBounds([], layout.retentionDays, layout.now))
  if (await isSmall(rowsOf(runner), table))
    return withLockRetries(table.name, migrating, () => runner.query(sql))
  migrating.progress?.warn(`partitioning ${table.name} by time: the whole table is rewritten`)
  await runner.query('SET SESSION lock_wait_timeout = ?', [LARGE_WAIT_SECONDS])
  await runner.query(sql)
  migrating.progress?.info(`partitioned ${table.name}`)
}

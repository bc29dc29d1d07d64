import type { Instant } from '../../domain/time.ts'
import type { Database, Rows } from '../database.ts'
import { keptFrom, type SeriesTable } from './series-tables.ts'

/**
 * Partition of the table of a time series. With a retention, the tables are partitioned by time, so that old points are
 * dropped as a whole partition. A read looks into every partition of its time range, so there are few: a partition
 * covers a tenth of the retention. The last partition has no upper bound. New partitions are split off it two
 * partitions ahead of the current time, while it has few points that the split has to move.
 */
export interface Partition {
  readonly name: string
  /** Upper bound of its times, exclusive; null for the last partition. */
  readonly until: Instant | null
}

/** Name of the last partition. */
export const LAST_PARTITION = 'rest'

const DAY_MS = 86_400_000
const PARTITIONS_PER_RETENTION = 10
const PARTITIONS_AHEAD = 2

/** Returns the partitions of a table in order; none if it is not partitioned. */
export async function partitionsOf(db: Rows, { name }: SeriesTable): Promise<readonly Partition[]> {
  const rows = await db.rows<{ name: string; until: string }>(
    `SELECT PARTITION_NAME AS \`name\`, PARTITION_DESCRIPTION AS \`until\` FROM information_schema.PARTITIONS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND PARTITION_NAME IS NOT NULL
      ORDER BY PARTITION_ORDINAL_POSITION`,
    [name],
  )
  return rows.map((row) => ({ name: row.name, until: row.until === 'MAXVALUE' ? null : Number(row.until) }))
}

/**
 * Returns the upper bounds of the missing partitions: one for everything older than the retention, those within the
 * retention, and those ahead of the current time.
 */
export function missingBounds(
  partitions: readonly Partition[],
  retentionDays: number,
  now: Instant,
): Instant[] {
  const step = Math.ceil(retentionDays / PARTITIONS_PER_RETENTION) * DAY_MS
  const last = Math.max(0, ...partitions.map(({ until }) => until ?? 0))
  const first = Math.max(Math.floor(keptFrom(retentionDays, now) / step), Math.floor(last / step) + 1)
  const bounds: Instant[] = []
  for (let bound = first * step; bound <= now + PARTITIONS_AHEAD * step; bound += step) bounds.push(bound)
  return bounds
}

/** Returns the partitions whose points are all older than the retention. */
export const expiredPartitionsOf = (
  partitions: readonly Partition[],
  retentionDays: number,
  now: Instant,
): readonly Partition[] =>
  partitions.filter(({ until }) => until !== null && until <= keptFrom(retentionDays, now))

/** Statement that partitions a table. It rewrites the whole table. */
export const partitionSql = ({ name, time }: SeriesTable, bounds: readonly Instant[]): string =>
  `ALTER TABLE \`${name}\` PARTITION BY RANGE (\`${time}\`) (${definitions(bounds)})`

/** Statement that splits partitions off the last one. It moves the rows of the last one. */
export const splitSql = ({ name }: SeriesTable, bounds: readonly Instant[]): string =>
  `ALTER TABLE \`${name}\` REORGANIZE PARTITION \`${LAST_PARTITION}\` INTO (${definitions(bounds)})`

export const dropSql = ({ name }: SeriesTable, dropped: readonly Partition[]): string =>
  `ALTER TABLE \`${name}\` DROP PARTITION ${dropped.map((partition) => `\`${partition.name}\``).join(', ')}`

const definitions = (bounds: readonly Instant[]): string =>
  [
    ...bounds.map((until) => `PARTITION \`${nameOf(until)}\` VALUES LESS THAN (${until})`),
    `PARTITION \`${LAST_PARTITION}\` VALUES LESS THAN MAXVALUE`,
  ].join(', ')

/** The name of a partition is the day of its upper bound. */
const nameOf = (until: Instant): string =>
  `until_${new Date(until).toISOString().slice(0, 10).replaceAll('-', '_')}`

const MAX_SMALL_ROWS = 10_000

/** Whether a table or partition has so few rows that a rewrite is fast. */
export async function isSmall(db: Rows, { name }: SeriesTable, partition?: string): Promise<boolean> {
  const part = partition === undefined ? '' : ` PARTITION (\`${partition}\`)`
  const [row] = await db.rows(`SELECT 1 FROM \`${name}\`${part} LIMIT 1 OFFSET ${MAX_SMALL_ROWS}`)
  return row === undefined
}

const LOCK_WAIT_SECONDS = 5

/**
 * Alters a table while the service runs. It waits only seconds for its lock, because other statements wait behind it.
 */
export const alterTable = (db: Pick<Database, 'transaction'>, sql: string): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.run(`SET SESSION lock_wait_timeout = ${LOCK_WAIT_SECONDS}`)
    try {
      await tx.run(sql)
    } finally {
      await tx.run('SET SESSION lock_wait_timeout = DEFAULT')
    }
  })

import type { Instant } from '../../domain/time.ts'
import type { Database, Rows } from '../database.ts'
import { keptFrom, type SeriesTable } from './series-tables.ts'

/**
 * Where points are kept for so many days, their tables are parted by time, so that what is old is dropped whole. A
 * read of an owner's points looks into every partition that its times may be in: so there are few of them, and a
 * partition is a tenth of the retention long. The last one, `rest`, has no end; new ones are cut off it while it is
 * empty, two steps ahead of the time.
 */
export interface Partition {
  readonly name: string
  /** Its points are older than this, and not older than the partition before it allows; null is without end. */
  readonly until: Instant | null
}

export const REST = 'rest'

const DAY_MS = 86_400_000
const PARTS = 10
const STEPS_AHEAD = 2

/** The partitions of a table in their order; none where it is in one piece. */
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
 * Where the partitions end that a table lacks: one that is old already and takes what is older, those of the retention,
 * and those ahead.
 */
export function missingBounds(
  partitions: readonly Partition[],
  retentionDays: number,
  now: Instant,
): Instant[] {
  const step = Math.ceil(retentionDays / PARTS) * DAY_MS
  const last = Math.max(0, ...partitions.map(({ until }) => until ?? 0))
  const first = Math.max(Math.floor(keptFrom(retentionDays, now) / step), Math.floor(last / step) + 1)
  const bounds: Instant[] = []
  for (let at = first * step; at <= now + STEPS_AHEAD * step; at += step) bounds.push(at)
  return bounds
}

/** Those that hold nothing that is kept. */
export const expired = (
  partitions: readonly Partition[],
  retentionDays: number,
  now: Instant,
): readonly Partition[] =>
  partitions.filter(({ until }) => until !== null && until <= keptFrom(retentionDays, now))

/** Parts a table that is in one piece: this writes all of it anew. */
export const partitionSql = ({ name, time }: SeriesTable, bounds: readonly Instant[]): string =>
  `ALTER TABLE \`${name}\` PARTITION BY RANGE (\`${time}\`) (${definitions(bounds)})`

/** Cuts partitions off the rest: this moves what is in the rest. */
export const extendSql = ({ name }: SeriesTable, bounds: readonly Instant[]): string =>
  `ALTER TABLE \`${name}\` REORGANIZE PARTITION \`${REST}\` INTO (${definitions(bounds)})`

export const dropSql = ({ name }: SeriesTable, dropped: readonly Partition[]): string =>
  `ALTER TABLE \`${name}\` DROP PARTITION ${dropped.map((partition) => `\`${partition.name}\``).join(', ')}`

const definitions = (bounds: readonly Instant[]): string =>
  [
    ...bounds.map((until) => `PARTITION \`${nameOf(until)}\` VALUES LESS THAN (${until})`),
    `PARTITION \`${REST}\` VALUES LESS THAN MAXVALUE`,
  ].join(', ')

/** A partition is called by the day on which it ends. */
const nameOf = (until: Instant): string =>
  `until_${new Date(until).toISOString().slice(0, 10).replaceAll('-', '_')}`

const MANY_ROWS = 10_000

/** Whether so few rows are there that writing them anew takes no time to speak of. */
export async function isSmall(db: Rows, { name }: SeriesTable, partition?: string): Promise<boolean> {
  const part = partition === undefined ? '' : ` PARTITION (\`${partition}\`)`
  const [row] = await db.rows(`SELECT 1 FROM \`${name}\`${part} LIMIT 1 OFFSET ${MANY_ROWS}`)
  return row === undefined
}

const LOCK_WAIT_SECONDS = 5

/** Changes a table while the service runs: it waits a few seconds for who uses it, so that nobody queues behind it. */
export const alterTable = (db: Pick<Database, 'transaction'>, sql: string): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.run(`SET SESSION lock_wait_timeout = ${LOCK_WAIT_SECONDS}`)
    try {
      await tx.run(sql)
    } finally {
      await tx.run('SET SESSION lock_wait_timeout = DEFAULT')
    }
  })

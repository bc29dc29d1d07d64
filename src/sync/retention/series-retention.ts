import type { Rows } from '../../storage/database.ts'
import {
  alterTable,
  missingBounds,
  dropSql,
  expiredPartitionsOf,
  splitSql,
  isSmall,
  type Partition,
  partitionsOf,
  LAST_PARTITION,
} from '../../storage/series/partitions.ts'
import { keptFrom, type SeriesTable, seriesTables } from '../../storage/series/series-tables.ts'
import type { Instant } from '../../domain/time.ts'
import type { WorkerDeps } from '../sync-context.ts'

type RetentionDeps = Pick<WorkerDeps, 'db' | 'clock' | 'log' | 'retentionDays'>

const HOUR_MS = 3_600_000
const POINTS_PER_BATCH = 1000

/** Schedules the hourly retention job. */
export const scheduleRetention = ({ queue }: Pick<WorkerDeps, 'queue'>): Promise<void> =>
  queue.schedule('retention', 'all', {}, HOUR_MS)

/**
 * Deletes the points that are older than the retention. A partition is dropped once all its points have expired.
 * Expired points in the unbounded last partition, or in a table without partitions, are deleted in batches.
 */
export async function removeExpiredPoints(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, retentionDays } = deps
  if (retentionDays === undefined) return
  const now = clock.now()
  for (const table of seriesTables) {
    signal.throwIfAborted()
    const partitions = db.dialect === 'mysql' ? await db.transaction((tx) => partitionsOf(tx, table)) : []
    if (partitions.length > 0) await rotatePartitions(deps, table, partitions, retentionDays, now)
    const fromClause = `\`${table.name}\`${partitions.length > 0 ? ` PARTITION (\`${LAST_PARTITION}\`)` : ''}`
    await deleteExpired(deps, table, fromClause, keptFrom(retentionDays, now), signal)
  }
}

/**
 * Splits partitions for future points off the last one, unless the split would move too many points. Drops expired
 * partitions.
 */
async function rotatePartitions(
  { db, log }: RetentionDeps,
  table: SeriesTable,
  partitions: readonly Partition[],
  retentionDays: number,
  now: Instant,
): Promise<void> {
  const missing = missingBounds(partitions, retentionDays, now)
  if (missing.length > 0 && (await isSmall(db, table, LAST_PARTITION)))
    await alterTable(db, splitSql(table, missing))
  else if (missing.length > 0)
    log.warn(
      { table: table.name },
      'partition split skipped: the last partition holds too many points; they will be deleted in batches when they expire',
    )
  const expiredPartitions = expiredPartitionsOf(partitions, retentionDays, now)
  if (expiredPartitions.length > 0) await alterTable(db, dropSql(table, expiredPartitions))
}

/** Deletes expired points owner by owner, in the order of the clustered index. */
async function deleteExpired(
  { db }: RetentionDeps,
  table: SeriesTable,
  fromClause: string,
  until: Instant,
  signal: AbortSignal,
): Promise<void> {
  for await (const { owner, oldest } of ownersIn(db, table, fromClause)) {
    if (oldest >= until) continue
    for (let more = true; more;) {
      signal.throwIfAborted()
      more = await removeBatch(db, table, fromClause, owner, until)
    }
  }
}

interface Owner {
  readonly owner: string
  readonly oldest: Instant
}

async function* ownersIn(db: Rows, { owner, time }: SeriesTable, fromClause: string): AsyncGenerator<Owner> {
  for (let after = ''; ;) {
    const [next] = await db.rows<Owner>(
      `SELECT \`${owner}\` AS \`owner\`, \`${time}\` AS \`oldest\` FROM ${fromClause} WHERE \`${owner}\` > ?
        ORDER BY \`${owner}\`, \`${time}\` LIMIT 1`,
      [after],
    )
    if (!next) return
    yield { owner: next.owner, oldest: Number(next.oldest) }
    after = next.owner
  }
}

/** Deletes one batch of the oldest expired points of an owner. Returns whether more expired points remain. */
async function removeBatch(
  db: WorkerDeps['db'],
  { owner, time }: SeriesTable,
  fromClause: string,
  id: string,
  until: Instant,
): Promise<boolean> {
  const condition = `\`${owner}\` = ? AND \`${time}\` < ?`
  const [firstKept] = await db.rows<{ at: Instant }>(
    `SELECT \`${time}\` AS \`at\` FROM ${fromClause} WHERE ${condition} ORDER BY \`${time}\` LIMIT 1 OFFSET ${POINTS_PER_BATCH}`,
    [id, until],
  )
  await db.transaction((tx) =>
    tx.run(`DELETE FROM ${fromClause} WHERE ${condition}`, [id, firstKept ? Number(firstKept.at) : until]),
  )
  return firstKept !== undefined
}

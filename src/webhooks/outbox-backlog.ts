import type { Rows } from '../storage/database.ts'
import type { Instant } from '../domain/time.ts'

/** What the dispatcher has still to do. */
export interface OutboxBacklog {
  readonly unplaced: number
  /** Of the oldest entry without a position; 0 where there is none. */
  readonly oldestSeconds: number
}

/** Where it stands still, counting all of it would take ever longer. */
const MAX_COUNTED = 10_000

export async function outboxBacklog(db: Rows, now: Instant): Promise<OutboxBacklog> {
  const [[oldest], [counted]] = await Promise.all([
    db.rows<{ occurredAt: number }>(
      'SELECT `occurredAt` FROM `events` WHERE `position` IS NULL ORDER BY `sequence` LIMIT 1',
    ),
    db.rows<{ unplaced: number }>(
      `SELECT COUNT(*) AS unplaced FROM (SELECT 1 FROM \`events\` WHERE \`position\` IS NULL LIMIT ${MAX_COUNTED}) AS waiting`,
    ),
  ])
  return {
    unplaced: Number(counted?.unplaced ?? 0),
    oldestSeconds: oldest ? Math.max(0, now - Number(oldest.occurredAt)) / 1000 : 0,
  }
}

import type { Rows } from '../storage/database.ts'
import type { Instant } from '../domain/time.ts'

/** Outbox entries without a log position. */
export interface OutboxBacklog {
  /** Number of such entries; at most 10,000 are counted. */
  readonly unsequenced: number
  /** Age of the oldest such entry, in seconds; 0 if there is none. */
  readonly oldestSeconds: number
}

/** Limit of the count: while the sequencer is stalled, a full count would take longer and longer. */
const MAX_COUNTED = 10_000

export async function outboxBacklog(db: Rows, now: Instant): Promise<OutboxBacklog> {
  const [[oldest], [counted]] = await Promise.all([
    db.rows<{ occurredAt: number }>(
      'SELECT `occurredAt` FROM `events` WHERE `position` IS NULL ORDER BY `sequence` LIMIT 1',
    ),
    db.rows<{ unsequenced: number }>(
      `SELECT COUNT(*) AS unsequenced FROM (SELECT 1 FROM \`events\` WHERE \`position\` IS NULL LIMIT ${MAX_COUNTED}) AS waiting`,
    ),
  ])
  return {
    unsequenced: Number(counted?.unsequenced ?? 0),
    oldestSeconds: oldest ? Math.max(0, now - Number(oldest.occurredAt)) / 1000 : 0,
  }
}

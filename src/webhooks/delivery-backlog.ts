import type { Rows } from '../storage/database.ts'
import type { Instant } from '../domain/time.ts'

/** What is still to be told to webhook endpoints; those that are disabled do not count. */
export interface DeliveryBacklog {
  /** Events of the log, once for each endpoint that has not come so far. */
  readonly events: number
  /** Endpoints of which something is due and that no worker has. */
  readonly waiting: number
  /** Of the one that waits longest; 0 where none does. */
  readonly oldestSeconds: number
}

/** Where it stands still, counting all of it would take ever longer. */
const MAX_COUNTED = 10_000

export async function deliveryBacklog(db: Rows, now: Instant): Promise<DeliveryBacklog> {
  const [[behind], [waiting]] = await Promise.all([
    db.rows<{ events: number | null }>(
      `SELECT SUM(h.\`position\` - p.\`position\`) AS events FROM \`webhook_progress\` AS p
        JOIN \`log_heads\` AS h ON h.\`applicationId\` = p.\`applicationId\` WHERE p.\`wakeAt\` > 0`,
    ),
    db.rows<{ endpoints: number; oldest: number | null }>(
      `SELECT COUNT(*) AS endpoints, MIN(\`wakeAt\`) AS oldest FROM (SELECT \`wakeAt\` FROM \`webhook_progress\`
        WHERE \`wakeAt\` <= ? AND (\`leasedUntil\` IS NULL OR \`leasedUntil\` <= ?) ORDER BY \`wakeAt\` LIMIT ${MAX_COUNTED}) AS due`,
      [now, now],
    ),
  ])
  return {
    events: Number(behind?.events ?? 0),
    waiting: Number(waiting?.endpoints ?? 0),
    oldestSeconds: waiting?.oldest == null ? 0 : Math.max(0, now - Number(waiting.oldest)) / 1000,
  }
}

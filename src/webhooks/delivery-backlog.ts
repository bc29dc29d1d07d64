import type { Rows } from '../storage/database.ts'
import type { Instant } from '../domain/time.ts'

/** Undelivered work of the webhook endpoints; disabled endpoints do not count. */
export interface DeliveryBacklog {
  /** Events that endpoints have not reached in the log. An event counts once for each such endpoint. */
  readonly events: number
  /** Endpoints that are due and that no worker leases; at most 10,000 are counted. */
  readonly waiting: number
  /** Longest time since such an endpoint became due, in seconds; 0 if no endpoint waits. */
  readonly oldestSeconds: number
}

/** Limit of the count: while delivery is stalled, a full count would take longer and longer. */
const MAX_COUNTED = 10_000

export async function deliveryBacklog(db: Rows, now: Instant): Promise<DeliveryBacklog> {
  const [[undelivered], [waiting]] = await Promise.all([
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
    events: Number(undelivered?.events ?? 0),
    waiting: Number(waiting?.endpoints ?? 0),
    oldestSeconds: waiting?.oldest == null ? 0 : Math.max(0, now - Number(waiting.oldest)) / 1000,
  }
}

import { tupleIn } from '../../storage/sql/dialect.ts'
import type { WorkerDeps } from '../sync-context.ts'

const DAY_MS = 86_400_000
/** Maximum retention of quarantined records. A mapping that is not fixed by then will probably never read them. */
const MAX_RETENTION_DAYS = 90
const BATCH_SIZE = 500

type PurgeDeps = Pick<WorkerDeps, 'db' | 'clock' | 'retentionDays'>

/** Deletes quarantined records that the provider has not sent during their retention. */
export async function purgeQuarantine(
  { db, clock, retentionDays }: PurgeDeps,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.now() - Math.min(MAX_RETENTION_DAYS, retentionDays ?? MAX_RETENTION_DAYS) * DAY_MS
  for (let more = true; more;) {
    signal.throwIfAborted()
    const expired = await db.rows<{ connectionId: string; model: string; hash: string }>(
      `SELECT \`connectionId\`, \`model\`, \`hash\` FROM \`left_out_records\` WHERE \`extractedAt\` < ? LIMIT ${BATCH_SIZE}`,
      [until],
    )
    more = expired.length === BATCH_SIZE
    if (expired.length === 0) return
    const keys = tupleIn(
      db.dialect,
      ['connectionId', 'model', 'hash'],
      expired.map(({ connectionId, model, hash }) => [connectionId, model, hash]),
    )
    // The condition on `extractedAt` keeps records that have been received again in the meantime.
    await db.transaction((tx) =>
      tx.run(`DELETE FROM \`left_out_records\` WHERE \`extractedAt\` < ? AND ${keys.sql}`, [
        until,
        ...keys.parameters,
      ]),
    )
  }
}

import { tupleIn } from '../../storage/sql/dialect.ts'
import type { WorkerDeps } from '../sync-context.ts'

const DAY_MS = 86_400_000
/** A mapping that has not been mended by then will not be mended for them. */
const KEPT_DAYS = 90
const AT_ONCE = 500

type PurgeDeps = Pick<WorkerDeps, 'db' | 'clock' | 'retentionDays'>

/** Removes what could not be read and was sent long ago. */
export async function purgeQuarantine(
  { db, clock, retentionDays }: PurgeDeps,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.now() - Math.min(KEPT_DAYS, retentionDays ?? KEPT_DAYS) * DAY_MS
  for (let more = true; more;) {
    signal.throwIfAborted()
    const old = await db.rows<{ connectionId: string; model: string; hash: string }>(
      `SELECT \`connectionId\`, \`model\`, \`hash\` FROM \`left_out_records\` WHERE \`extractedAt\` < ? LIMIT ${AT_ONCE}`,
      [until],
    )
    more = old.length === AT_ONCE
    if (old.length === 0) return
    const theirs = tupleIn(
      db.dialect,
      ['connectionId', 'model', 'hash'],
      old.map(({ connectionId, model, hash }) => [connectionId, model, hash]),
    )
    // What has come again in the meantime is kept.
    await db.transaction((tx) =>
      tx.run(`DELETE FROM \`left_out_records\` WHERE \`extractedAt\` < ? AND ${theirs.sql}`, [
        until,
        ...theirs.parameters,
      ]),
    )
  }
}

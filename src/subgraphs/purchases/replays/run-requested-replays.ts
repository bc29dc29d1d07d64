import type { Clock } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { PurchaseReplay } from './purchase-replay.ts'
import { ConcurrentReplay, PURCHASES_PER_BATCH, runReplay } from './run-replay.ts'
import { storedChecks } from './stored-checks.ts'

const table = tableOf(PurchaseReplay)

/** Runs the replays of checks that were requested, oldest first. One that was interrupted continues. */
export async function runRequestedReplays(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_replays\`
      WHERE \`endedAt\` IS NULL AND \`purchasedAfter\` IS NOT NULL ORDER BY \`id\``,
  )
  const failures: Error[] = []
  for (const row of rows) {
    const replay = table.toRow(row)
    const tenant = { applicationId: replay.applicationId, connectionIds: null }
    const onProgress = () => signal.throwIfAborted()
    try {
      await runReplay({ db, clock, onProgress }, tenant, replay, checksOf(db, replay))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ConcurrentReplay))
        failures.push(new Error(`the replay ${replay.id} has failed`, { cause: error }))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} replays have failed`)
}

/** Reads the checks that a replay compares, as they were when it was requested. */
function checksOf(db: Database, { applicationId, createdAt, ...replay }: PurchaseReplay) {
  const period = {
    purchasedAfter: replay.purchasedAfter ?? 0,
    purchasedBefore: replay.purchasedBefore ?? 0,
    checkedUntil: createdAt,
  }
  return storedChecks(db.inBackground(), { applicationId, connectionIds: null }, period, PURCHASES_PER_BATCH)
}

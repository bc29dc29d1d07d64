import type { Clock } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { COMPARED_MS } from '../evidence/compared-time.ts'
import type { ReplayInput } from './past-purchase.ts'
import { PurchaseReplay } from './purchase-replay.ts'
import { ConcurrentReplay, runReplay } from './run-replay.ts'
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
    try {
      await runReplay({ db, clock }, tenant, replay, checksOf(db, replay, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ConcurrentReplay))
        failures.push(new Error(`the replay ${replay.id} has failed`, { cause: error }))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} replays have failed`)
}

/**
 * Reads the checks that a replay compares: those that were stored when it was requested. Before an interruption it needs
 * only those that later ones are compared with.
 */
async function* checksOf(
  db: Database,
  { applicationId, createdAt, position, ...replay }: PurchaseReplay,
  signal: AbortSignal,
): AsyncGenerator<readonly ReplayInput[]> {
  const compared = position === null ? 0 : position.purchasedAt - COMPARED_MS
  const period = {
    purchasedAfter: Math.max(replay.purchasedAfter ?? 0, compared),
    purchasedBefore: replay.purchasedBefore ?? 0,
    checkedUntil: createdAt,
  }
  const tenant = { applicationId, connectionIds: null }
  for await (const batch of storedChecks(db.inBackground(), tenant, period)) {
    signal.throwIfAborted()
    yield batch
  }
}

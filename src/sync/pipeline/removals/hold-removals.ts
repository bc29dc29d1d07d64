import type { SyncedModel } from '../../../domain/record-models.ts'
import type { Transaction } from '../../../storage/database.ts'
import { and } from '../../../storage/sql/where.ts'
import {
  type HeldRemoval,
  heldRemovalsOf,
  MISSING,
  RemovalDecision,
  saveHeldRemoval,
} from '../../../subgraphs/connections/removals/held-removal.ts'
import type { SyncRun } from '../../sync-run.ts'
import { storedModelOf } from '../stored-models.ts'
import type { TombstoneCondition } from './tombstone-missing.ts'

/** A removal of fewer records is never held, unless the list is empty. */
const MIN_HELD_RECORDS = 10

/** Matches the records that were missing when the removal became held, and that no sync has seen since. */
const MISSING_TWICE: TombstoneCondition = { sql: '`seenIn` = ?', parameters: [MISSING] }

interface MissingCounts {
  readonly total: number
  readonly missing: number
  readonly missingTwice: number
}

/**
 * Selects the records that may be removed now, from those that a complete list lacks. Returns null if there are none.
 * An implausible removal is held: a later sync removes the records that it misses too. `isHeld`: the removal was held at
 * the start of the sync.
 */
export async function selectRemovable(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  missing: TombstoneCondition,
  isHeld: boolean,
): Promise<TombstoneCondition | null> {
  const counts = await countMissing(tx, run, model, missing)
  const [held] = isHeld ? await heldRemovalsOf(tx, run.connection, model) : []
  if (held && counts.missingTwice > 0) {
    if (isDue(held, run)) return and(missing, MISSING_TWICE)
    await saveHold(tx, run, { ...held, ...counts })
    return null
  }
  if (held) await endHold(tx, run, model)
  if (counts.missing === 0) return null
  if (isPlausible(counts, run)) return missing
  await startHold(tx, run, model, missing, counts)
  return null
}

const isPlausible = ({ total, missing }: MissingCounts, { removalHold }: SyncRun): boolean =>
  missing < total && (missing < MIN_HELD_RECORDS || missing * 100 <= total * removalHold.percent)

/** Whether a sync may remove the records that it misses too. The sync that started the hold may run again. */
function isDue({ syncId, decision, dueAt }: HeldRemoval, { sync, clock }: SyncRun): boolean {
  if (syncId === sync.id || decision === RemovalDecision.DENIED) return false
  return decision === RemovalDecision.CONFIRMED || clock.now() >= dueAt
}

async function countMissing(
  tx: Transaction,
  { connection }: SyncRun,
  model: SyncedModel,
  missing: TombstoneCondition,
): Promise<MissingCounts> {
  const [counts] = await tx.rows<Record<keyof MissingCounts, number | string | null>>(
    `SELECT COUNT(*) AS total, SUM(\`isMissing\`) AS missing,
      SUM(CASE WHEN \`isMissing\` = 1 AND ${MISSING_TWICE.sql} THEN 1 ELSE 0 END) AS missingTwice
      FROM (SELECT \`seenIn\`, CASE WHEN ${missing.sql} THEN 1 ELSE 0 END AS \`isMissing\`
        FROM \`${storedModelOf(model).table.name}\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`deletedAt\` IS NULL) AS \`stored\``,
    [...MISSING_TWICE.parameters, ...missing.parameters, connection.id, connection.applicationId],
  )
  return {
    total: Number(counts?.total ?? 0),
    missing: Number(counts?.missing ?? 0),
    missingTwice: Number(counts?.missingTwice ?? 0),
  }
}

async function startHold(
  tx: Transaction,
  run: SyncRun,
  model: SyncedModel,
  missing: TombstoneCondition,
  counts: MissingCounts,
): Promise<void> {
  const { connection, sync, clock, removalHold } = run
  await tx.run(
    `UPDATE \`${storedModelOf(model).table.name}\` SET \`seenIn\` = ?
      WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`deletedAt\` IS NULL AND ${missing.sql}`,
    [MISSING, connection.id, connection.applicationId, ...missing.parameters],
  )
  const since = clock.now()
  const dueAt = since + removalHold.minutes * 60_000
  await saveHold(tx, run, { model, syncId: sync.id, since, dueAt, decision: null, ...counts })
}

const saveHold = (
  tx: Transaction,
  run: SyncRun,
  held: Parameters<typeof saveHeldRemoval>[1],
): Promise<void> =>
  saveHeldRemoval(tx, held, {
    connection: run.connection,
    providerName: run.providerName,
    syncId: run.sync.id,
    now: run.clock.now(),
  })

/** Ends the hold. The end of the sync resolves the issue. */
const endHold = (tx: Transaction, { connection }: SyncRun, model: SyncedModel): Promise<number> =>
  tx.run('DELETE FROM `held_removals` WHERE `connectionId` = ? AND `applicationId` = ? AND `model` = ?', [
    connection.id,
    connection.applicationId,
    model,
  ])

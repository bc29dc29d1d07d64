import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { PublicError } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import { sha256 } from '../../../domain/sha256.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { lockApplicationRow } from '../../tables/lock-application-row.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import { settingsIn } from '../policy/set-policy.ts'
import type { PurchaseRuleSettingsInput } from '../policy/set-policy-input.ts'
import { periodOf, type SummaryPeriod } from '../summary/purchase-summary-args.ts'
import type { ReplayInput } from './past-purchase.ts'
import { PurchaseReplay } from './purchase-replay.ts'
import type { ReplayPurchasesInput } from './replay-purchases-input.ts'
import { countChecks } from './stored-checks.ts'

interface StartDeps {
  readonly db: Pick<Database, 'rows' | 'transaction'>
  readonly clock: Clock
}

const table = tableOf(PurchaseReplay)
/** Replays of checks of an application that have not ended. */
const MAX_RUNNING = 5

/** Requests a replay of the checks of a period. A worker runs it. Throws if the input is invalid. */
export async function replayPurchases(
  { db, clock }: StartDeps,
  caller: Caller,
  { rules, ...given }: ReplayPurchasesInput,
): Promise<PurchaseReplay> {
  requireSecretKey(caller, 'Replays')
  const settings = settingsIn(rules ?? [])
  const now = clock.now()
  const period = periodOf(given, now, 'input.')
  const total = await countChecks(db, caller, { ...period, checkedUntil: now })
  const replay = newReplay(now, caller, { settings, total, inputHash: '', ...period })
  await db.transaction(async (tx) => {
    await requirePlace(tx, caller)
    await tx.insert(table, [replay])
  })
  return replay
}

/** Throws if too many replays of an application have not ended. The lock serializes concurrent requests. */
async function requirePlace(tx: Transaction, { applicationId }: Tenant): Promise<void> {
  await lockApplicationRow(tx, applicationId)
  const [running] = await tx.rows<{ count: number }>(
    `SELECT COUNT(*) AS \`count\` FROM \`purchase_replays\`
      WHERE \`applicationId\` = ? AND \`endedAt\` IS NULL AND \`purchasedAfter\` IS NOT NULL`,
    [applicationId],
  )
  if (Number(running?.count) >= MAX_RUNNING)
    throw new PublicError('conflict', `${MAX_RUNNING} replays have not ended.`, {
      detail: 'Wait until one has ended: `purchaseReplays` has `endedAt`.',
    })
}

/**
 * Returns the replay of these purchases with these rules that was interrupted, or else a new one. The caller runs it.
 * Throws if a rule is invalid.
 */
export async function startReplay(
  { db, clock }: StartDeps,
  tenant: Tenant,
  inputs: readonly ReplayInput[],
  rules: readonly PurchaseRuleSettingsInput[],
): Promise<PurchaseReplay> {
  const settings = settingsIn(rules)
  const inputHash = sha256(canonicalJson([settings, inputs]))
  const [interrupted] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_replays\`
      WHERE \`applicationId\` = ? AND \`inputHash\` = ? AND \`endedAt\` IS NULL ORDER BY \`id\` DESC LIMIT 1`,
    [tenant.applicationId, inputHash],
  )
  if (interrupted) return table.toRow(interrupted)
  const total = inputs.length
  const ofInputs = { settings, total, inputHash, purchasedAfter: null, purchasedBefore: null }
  const replay = newReplay(clock.now(), tenant, ofInputs)
  await db.transaction((tx) => tx.insert(table, [replay]))
  return replay
}

type ReplayValues = Pick<PurchaseReplay, 'settings' | 'total' | 'inputHash' | keyof SummaryPeriod>

const newReplay = (now: number, { applicationId }: Tenant, values: ReplayValues): PurchaseReplay => ({
  ...values,
  id: newId('purchaseReplay', now),
  applicationId,
  done: 0,
  position: null,
  createdAt: now,
  endedAt: null,
  summary: null,
})

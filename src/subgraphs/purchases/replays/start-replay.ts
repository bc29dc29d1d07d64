import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { PublicError } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import { sha256 } from '../../../domain/sha256.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import type { SettingsByRule } from '../policy/purchase-policy.ts'
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
  deps: StartDeps,
  caller: Caller,
  { rules, ...given }: ReplayPurchasesInput,
): Promise<PurchaseReplay> {
  requireSecretKey(caller, 'Replays')
  const { db, clock } = deps
  const settings = settingsIn(rules ?? [])
  const now = clock.now()
  const period = periodOf(given, now, 'input.')
  const [running] = await db.rows<{ count: number }>(
    `SELECT COUNT(*) AS \`count\` FROM \`purchase_replays\`
      WHERE \`applicationId\` = ? AND \`endedAt\` IS NULL AND \`purchasedAfter\` IS NOT NULL`,
    [caller.applicationId],
  )
  if (Number(running?.count) >= MAX_RUNNING)
    throw new PublicError('conflict', `${MAX_RUNNING} replays have not ended.`, {
      detail: 'Wait until one has ended: `purchaseReplays` has `endedAt`.',
    })
  const total = await countChecks(db, caller, { ...period, checkedUntil: now })
  const inputHash = sha256(canonicalJson([settings, period]))
  return insertReplay(deps, { applicationId: caller.applicationId, settings, total, inputHash, ...period })
}

/**
 * Returns the replay of these purchases with these rules that was interrupted, or else a new one. The caller runs it.
 * Throws if a rule is invalid.
 */
export async function startFileReplay(
  deps: StartDeps,
  { applicationId, connectionIds }: Tenant,
  inputs: readonly ReplayInput[],
  rules: readonly PurchaseRuleSettingsInput[],
): Promise<PurchaseReplay> {
  const settings = settingsIn(rules)
  const inputHash = sha256(canonicalJson([connectionIds, settings, inputs]))
  const [row] = await deps.db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_replays\`
      WHERE \`applicationId\` = ? AND \`inputHash\` = ? AND \`endedAt\` IS NULL ORDER BY \`id\` DESC LIMIT 1`,
    [applicationId, inputHash],
  )
  if (row) return table.toRow(row)
  const total = inputs.length
  return insertReplay(deps, { applicationId, settings, total, inputHash, ...NO_PERIOD })
}

const NO_PERIOD = { purchasedAfter: null, purchasedBefore: null }

interface NewReplay extends Pick<
  PurchaseReplay,
  'applicationId' | 'total' | 'inputHash' | keyof SummaryPeriod
> {
  readonly settings: SettingsByRule
}

async function insertReplay({ db, clock }: StartDeps, values: NewReplay): Promise<PurchaseReplay> {
  const createdAt = clock.now()
  const id = newId('purchaseReplay', createdAt)
  const replay: PurchaseReplay = { ...values, id, done: 0, createdAt, endedAt: null, summary: null }
  await db.transaction((tx) => tx.insert(table, [replay]))
  return replay
}

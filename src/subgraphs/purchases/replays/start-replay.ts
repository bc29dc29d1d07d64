import { canonicalJson } from '../../../domain/canonical-json.ts'
import { newId } from '../../../domain/ids.ts'
import { sha256 } from '../../../domain/sha256.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import { settingsIn } from '../policy/set-policy.ts'
import type { PurchaseRuleSettingsInput } from '../policy/set-policy-input.ts'
import { PurchaseReplay } from './purchase-replay.ts'
import type { ReplayInput } from './run-replay.ts'

const table = tableOf(PurchaseReplay)

/**
 * Returns the replay of these purchases with these settings of rules that was interrupted, or else a new one. Throws if a
 * setting is invalid.
 */
export async function startReplay(
  { db, clock }: { readonly db: Pick<Database, 'rows' | 'transaction'>; readonly clock: Clock },
  { applicationId, connectionIds }: Tenant,
  inputs: readonly ReplayInput[],
  rules: readonly PurchaseRuleSettingsInput[],
): Promise<PurchaseReplay> {
  const settings = settingsIn(rules)
  const inputHash = sha256(canonicalJson([connectionIds, settings, inputs]))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_replays\`
      WHERE \`applicationId\` = ? AND \`inputHash\` = ? AND \`endedAt\` IS NULL ORDER BY \`id\` DESC LIMIT 1`,
    [applicationId, inputHash],
  )
  if (row) return table.toRow(row)
  const createdAt = clock.now()
  const replay: PurchaseReplay = {
    id: newId('purchaseReplay', createdAt),
    applicationId,
    inputHash,
    settings,
    total: inputs.length,
    done: 0,
    createdAt,
    endedAt: null,
  }
  await db.transaction((tx) => tx.insert(table, [replay]))
  return replay
}

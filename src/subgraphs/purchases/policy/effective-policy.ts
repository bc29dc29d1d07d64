import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { limitsOfRule } from './limits.ts'
import { defaultPolicy, type PurchasePolicy, ruleNames } from './policy.ts'
import { rankOfTarget } from './policy-target.ts'
import { type SettingsByRule, StoredPurchasePolicy } from './purchase-policy.ts'

const table = tableOf(StoredPurchasePolicy)

/** Reads the policy that results from these targets at a time, with one statement. */
export const readEffectivePolicy = async (
  db: Rows,
  tenant: Pick<Tenant, 'applicationId'>,
  targets: readonly string[],
  at: Instant,
): Promise<PurchasePolicy> => mergePolicies(await readPolicies(db, tenant, targets, at))

/** Reads of each target the policy that took effect last, by the index. */
export async function readPolicies(
  db: Rows,
  { applicationId }: Pick<Tenant, 'applicationId'>,
  targets: readonly string[],
  at: Instant,
): Promise<StoredPurchasePolicy[]> {
  const latest = `SELECT * FROM (SELECT ${table.selected} FROM \`purchase_policies\`
    WHERE \`applicationId\` = ? AND \`target\` = ? AND HEX(\`target\`) = HEX(?) AND \`effectiveAt\` <= ?
    ORDER BY \`effectiveAt\` DESC, \`version\` DESC LIMIT 1) AS latest`
  const rows = await db.rows<Record<string, unknown>>(
    targets.map(() => latest).join(' UNION ALL '),
    targets.flatMap((target) => [applicationId, target, target, at]),
  )
  return rows.map((row) => table.toRow(row))
}

/**
 * Merges the policies of several targets: the settings of a more specific target come before those of a wider one. The
 * version is the highest of those that apply.
 */
export const mergePolicies = (policies: readonly StoredPurchasePolicy[]): PurchasePolicy =>
  policies
    .toSorted(
      (one, other) => rankOfTarget(one.target) - rankOfTarget(other.target) || one.version - other.version,
    )
    .reduce(override, defaultPolicy)

/** Returns a policy with the settings of a more specific one. */
const override = (
  policy: PurchasePolicy,
  { version, stage, settings }: StoredPurchasePolicy,
): PurchasePolicy => ({
  ...withSettings(policy, settings),
  version: Math.max(policy.version, version),
  stage: stage ?? policy.stage,
})

/** Returns a policy with other settings of rules. */
export const withSettings = (policy: PurchasePolicy, settings: SettingsByRule): PurchasePolicy => ({
  ...policy,
  rules: Object.fromEntries(
    ruleNames.map((name) => {
      const { action, limits } = policy.rules[name]
      const own = settings[name]
      return [
        name,
        { action: own?.action ?? action, limits: { ...limits, ...limitsOfRule(name, own?.limits ?? {}) } },
      ]
    }),
  ) as unknown as PurchasePolicy['rules'],
})

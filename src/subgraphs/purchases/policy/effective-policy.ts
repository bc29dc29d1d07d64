import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { oneOf, type Tenant } from '../../../storage/sql/where.ts'
import type { Instant } from '../../../domain/time.ts'
import { limitsOfRule } from './limits.ts'
import { defaultPolicy, type PurchasePolicy, ruleNames } from './policy.ts'
import { rankOfTarget } from './policy-target.ts'
import { StoredPurchasePolicy } from './purchase-policy.ts'

const table = tableOf(StoredPurchasePolicy)

/** Reads the policy that results from these targets at a time, with one statement. */
export async function readEffectivePolicy(
  db: Rows,
  { applicationId }: Pick<Tenant, 'applicationId'>,
  targets: readonly string[],
  at: Instant,
): Promise<PurchasePolicy> {
  const among = oneOf('target', targets)
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_policies\`
      WHERE \`applicationId\` = ? AND ${among?.sql} AND \`effectiveAt\` <= ?`,
    [applicationId, ...(among?.parameters ?? []), at],
  )
  // MySQL and MariaDB ignore trailing spaces of a tag in a comparison.
  return mergePolicies(rows.map((row) => table.toRow(row)).filter(({ target }) => targets.includes(target)))
}

/**
 * Merges policies: of each target the one that took effect last, and the settings of a more specific target before those
 * of a wider one. The version is the highest of those that apply.
 */
export function mergePolicies(policies: readonly StoredPurchasePolicy[]): PurchasePolicy {
  const latest = new Map<string, StoredPurchasePolicy>()
  for (const policy of policies.toSorted(byEffect)) latest.set(policy.target, policy)
  return [...latest.values()]
    .toSorted(
      (one, other) => rankOfTarget(one.target) - rankOfTarget(other.target) || one.version - other.version,
    )
    .reduce(override, defaultPolicy)
}

const byEffect = (one: StoredPurchasePolicy, other: StoredPurchasePolicy): number =>
  one.effectiveAt - other.effectiveAt || one.version - other.version

/** Returns a policy with the settings of a more specific one. */
const override = (
  policy: PurchasePolicy,
  { version, stage, settings }: StoredPurchasePolicy,
): PurchasePolicy => ({
  version: Math.max(policy.version, version),
  stage: stage ?? policy.stage,
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

import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { invalidMember, PublicError } from '../../../domain/errors.ts'
import { kindOf, newId } from '../../../domain/ids.ts'
import type { Database, Rows, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Clock } from '../../../domain/time.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { lockApplicationRow } from '../../tables/lock-application-row.ts'
import { correctionOf, hasLimit, limitNames, limitsOfRule } from './limits.ts'
import { APPLICATION_TARGET, targetOf } from './policy-target.ts'
import { reconciledRules, RuleAction } from './policy.ts'
import { type SettingsByRule, StoredPurchasePolicy } from './purchase-policy.ts'
import type { PurchaseRuleSettingsInput, SetPurchasePolicyInput } from './set-policy-input.ts'

const table = tableOf(StoredPurchasePolicy)
const MAX_TAG_LENGTH = 200
/** Actions that prevent a purchase. */
const PREVENTING: ReadonlySet<RuleAction> = new Set([RuleAction.CONFIRM, RuleAction.DECLINE])

const recordTables = { connection: 'connections', group: 'groups', vehicle: 'vehicles' } as const

/** Sets the policy of an application or of a part of it. Earlier checks keep the version that decided them. */
export async function setPurchasePolicy(
  { db, clock }: { readonly db: Pick<Database, 'transaction'>; readonly clock: Clock },
  caller: Caller,
  input: SetPurchasePolicyInput,
): Promise<StoredPurchasePolicy> {
  requireSecretKey(caller, 'Purchase policies')
  const { applicationId } = caller
  const now = clock.now()
  const effectiveAt = input.effectiveAt ?? now
  if (effectiveAt < now) throw invalidMember('effectiveAt', 'Give a time that is not in the past.')
  const target = targetIn(input)
  const settings = settingsIn(input.rules ?? [])
  return db.transaction(async (tx) => {
    await requireTarget(tx, caller, input)
    const policy: StoredPurchasePolicy = {
      id: newId('purchasePolicy', now),
      applicationId,
      version: await nextVersion(tx, applicationId),
      target,
      stage: input.stage ?? null,
      settings,
      effectiveAt,
      createdAt: now,
    }
    await tx.insert(table, [policy])
    const { version, stage } = policy
    const change = {
      action: 'purchase_policy.set',
      targetId: policy.id,
      detail: { version, stage, rules: Object.keys(settings) },
    }
    await recordAudit(tx, { applicationId, actor: actorOf(caller), at: now }, change)
    return policy
  })
}

/** Returns the target that the input names. */
export function targetIn({ tag, targetId }: SetPurchasePolicyInput): string {
  if (tag != null && targetId != null)
    throw invalidMember('targetId', 'Give either `tag` or `targetId`, not both.')
  if (tag != null) {
    if (tag.trim() === '' || tag.length > MAX_TAG_LENGTH)
      throw invalidMember('tag', `Give 1 to ${MAX_TAG_LENGTH} characters.`)
    return targetOf('tag', tag)
  }
  return targetId == null ? APPLICATION_TARGET : targetOf(kindOfTarget(targetId), targetId)
}

function kindOfTarget(targetId: string): keyof typeof recordTables {
  const kind = kindOf(targetId)
  if (kind === 'connection' || kind === 'group' || kind === 'vehicle') return kind
  throw invalidMember('targetId', 'Give the id of a connection, a group or a vehicle.')
}

/** Throws if the caller has no such connection, group or vehicle. */
async function requireTarget(
  db: Rows,
  { applicationId }: Caller,
  { targetId }: SetPurchasePolicyInput,
): Promise<void> {
  if (targetId == null) return
  const kind = kindOfTarget(targetId)
  const rows = await db.rows(
    `SELECT 1 FROM \`${recordTables[kind]}\` WHERE \`applicationId\` = ? AND \`id\` = ?`,
    [applicationId, targetId],
  )
  if (rows.length === 0) throw new PublicError('not_found', `There is no such ${kind}.`)
}

/** Returns the settings of an input. Throws if a limit is not one of its rule, or out of range. */
export function settingsIn(rules: readonly PurchaseRuleSettingsInput[]): SettingsByRule {
  const settings: Record<string, SettingsByRule[PurchaseRuleSettingsInput['rule']]> = {}
  for (const [index, given] of rules.entries()) {
    const { rule, action } = given
    const path = `rules.${index}`
    if (reconciledRules.includes(rule) && action != null && PREVENTING.has(action))
      throw invalidMember(`${path}.action`, `${rule.toUpperCase()} can flag at most: the fuel has been sold.`)
    if (rule in settings) throw invalidMember(`${path}.rule`, 'The list has this rule twice.')
    for (const limit of limitNames) {
      if (given[limit] == null) continue
      if (!hasLimit(rule, limit))
        throw invalidMember(`${path}.${limit}`, `${rule.toUpperCase()} has no limit \`${limit}\`.`)
      const correction = correctionOf(limit, given)
      if (correction) throw invalidMember(`${path}.${limit}`, correction)
    }
    settings[rule] = { ...(action ? { action } : {}), limits: limitsOfRule(rule, given) }
  }
  return settings as SettingsByRule
}

/** Returns the next version. The lock on the application serializes concurrent changes. */
async function nextVersion(tx: Transaction, applicationId: string): Promise<number> {
  await lockApplicationRow(tx, applicationId)
  const [row] = await tx.rows<{ version: number }>(
    'SELECT `version` FROM `purchase_policies` WHERE `applicationId` = ? ORDER BY `version` DESC LIMIT 1',
    [applicationId],
  )
  return Number(row?.version ?? 0) + 1
}

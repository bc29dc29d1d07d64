import { DAY_MS } from '../../../domain/models/lookback.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { PurchaseStage, type RuleFinding, type RuleName, ruleNames } from '../policy/policy.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { RuleOutcome } from '../rules/rule.ts'
import { type PurchaseReplay, ReplayedPurchase, type ReplayResult } from './purchase-replay.ts'
import type { PurchaseReplayRule, PurchaseReplayRuleCounts, PurchaseReplaySummary } from './replay-summary.ts'

const table = tableOf(ReplayedPurchase)
const ROWS_PER_PAGE = 1000

type ReplayKey = Pick<PurchaseReplay, 'id' | 'applicationId'>

/** Reads the results of a replay in the order of the purchases. */
export async function* replayedPurchases(
  db: Rows,
  { id: replayId, applicationId }: ReplayKey,
): AsyncGenerator<ReplayedPurchase> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: Record<string, unknown>[] = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`replayed_purchases\`
        WHERE \`replayId\` = ? AND \`applicationId\` = ? AND \`id\` > ? ORDER BY \`id\` LIMIT ${ROWS_PER_PAGE}`,
      [replayId, applicationId, after],
    )
    for (const row of rows) yield table.toRow(row)
    after = rows.length === ROWS_PER_PAGE ? String(rows.at(-1)?.['id']) : undefined
  }
}

/** Sums the results of a replay of a number of purchases. */
export async function summarizeReplay(
  db: Rows,
  replay: ReplayKey,
  purchaseCount: number,
): Promise<PurchaseReplaySummary> {
  const days = new Set<number>()
  const decisions = Object.values(PurchasePhase).flatMap((phase) =>
    stages.map((stage) => ({ phase, stage, current: noDecisions(), tried: noDecisions() })),
  )
  const rules = new Map(ruleNames.map((rule) => [rule, noOutcomes(rule)]))
  let [checks, withAssumedReceipt] = [0, 0]
  for await (const { purchasedAt, phase, result } of replayedPurchases(db, replay)) {
    checks++
    if (result.isReceiptAssumed) withAssumedReceipt++
    days.add(Math.floor(purchasedAt / DAY_MS))
    for (const sums of decisions.filter((one) => one.phase === phase)) {
      sums.current[result.current[sums.stage]]++
      sums.tried[result.tried[sums.stage]]++
    }
    addOutcomes(rules, result)
  }
  return {
    checks,
    withoutVehicle: purchaseCount - checks,
    withAssumedReceipt,
    days: days.size,
    decisions,
    rules: [...rules.values()],
  }
}

/** Stages that decide. */
const stages = [PurchaseStage.V1, PurchaseStage.V2, PurchaseStage.V3] as const

const noDecisions = (): Record<PurchaseDecision, number> => ({
  [PurchaseDecision.APPROVE]: 0,
  [PurchaseDecision.DECLINE]: 0,
  [PurchaseDecision.CONFIRM]: 0,
  [PurchaseDecision.UNKNOWN]: 0,
})

const noOutcomes = (rule: RuleName): PurchaseReplayRule => ({
  rule,
  current: { fail: 0, unknown: 0 },
  tried: { fail: 0, unknown: 0 },
})

function addOutcomes(
  rules: ReadonlyMap<RuleName, PurchaseReplayRule>,
  { findings, currentFindings }: ReplayResult,
): void {
  for (const { rule, outcome } of findings) add(rules.get(rule)!.tried, outcome)
  for (const { rule, outcome } of currentFindings) add(rules.get(rule)!.current, outcome)
}

function add(counts: PurchaseReplayRuleCounts, outcome: RuleFinding['outcome']): void {
  if (outcome !== RuleOutcome.PASS) counts[outcome]++
}

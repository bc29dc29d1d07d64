import type { Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { type DecisionByStage, PurchaseDecision } from '../policy/decide.ts'
import { type RuleFinding, type RuleName, ruleNames } from '../policy/policy.ts'
import { RuleOutcome } from '../rules/rule.ts'
import { type PurchaseReplay, ReplayedPurchase, type ReplayResult } from './purchase-replay.ts'

const table = tableOf(ReplayedPurchase)
const ROWS_PER_PAGE = 1000

/** Reads the results of a replay in the order of the purchases. */
export async function* replayedPurchases(
  db: Rows,
  { id: replayId, applicationId }: Pick<PurchaseReplay, 'id' | 'applicationId'>,
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

type Counts<Key extends string> = Record<Key, number>

/** Numbers with the policy that applies now, and with the settings of the replay. */
interface Compared<Value> {
  readonly current: Value
  readonly tried: Value
}

/** Sums over the results of a replay. */
export interface ReplaySummary {
  readonly purchases: number
  /** Purchases whose vehicle does not exist any more. */
  readonly withoutVehicle: number
  /** Purchases whose position or fuel level is from before the connection, so that its receipt is assumed. */
  readonly withAssumedReceipt: number
  /** Days in UTC on which there were purchases. */
  readonly days: number
  readonly decisions: Readonly<Record<keyof DecisionByStage, Compared<Counts<PurchaseDecision>>>>
  readonly rules: Readonly<Record<RuleName, Compared<Counts<'fail' | 'unknown'>>>>
}

const DAY_MS = 24 * 3_600_000

/** Sums the results of a replay. */
export async function summarizeReplay(
  db: Rows,
  replay: Pick<PurchaseReplay, 'id' | 'applicationId' | 'done'>,
): Promise<ReplaySummary> {
  const days = new Set<number>()
  const decisions = { v1: comparedDecisions(), v2: comparedDecisions(), v3: comparedDecisions() }
  const rules = Object.fromEntries(ruleNames.map((rule) => [rule, comparedOutcomes()])) as Record<
    RuleName,
    ReturnType<typeof comparedOutcomes>
  >
  let [purchases, withAssumedReceipt] = [0, 0]
  for await (const { purchasedAt, result } of replayedPurchases(db, replay)) {
    purchases++
    if (result.isReceiptAssumed) withAssumedReceipt++
    days.add(Math.floor(purchasedAt / DAY_MS))
    addDecisions(decisions, result)
    for (const { rule, outcome } of result.findings) addOutcome(rules[rule].tried, outcome)
    for (const { rule, outcome } of result.currentFindings) addOutcome(rules[rule].current, outcome)
  }
  const withoutVehicle = replay.done - purchases
  return { purchases, withoutVehicle, withAssumedReceipt, days: days.size, decisions, rules }
}

const noDecisions = (): Counts<PurchaseDecision> => ({
  [PurchaseDecision.APPROVE]: 0,
  [PurchaseDecision.CONFIRM]: 0,
  [PurchaseDecision.DECLINE]: 0,
  [PurchaseDecision.UNKNOWN]: 0,
})
const comparedDecisions = () => ({ current: noDecisions(), tried: noDecisions() })
const comparedOutcomes = () => ({ current: { fail: 0, unknown: 0 }, tried: { fail: 0, unknown: 0 } })

function addDecisions(sums: ReplaySummary['decisions'], { current, tried }: ReplayResult): void {
  for (const stage of ['v1', 'v2', 'v3'] as const) {
    sums[stage].current[current[stage]]++
    sums[stage].tried[tried[stage]]++
  }
}

function addOutcome(counts: Counts<'fail' | 'unknown'>, outcome: RuleFinding['outcome']): void {
  if (outcome === RuleOutcome.PASS) return
  counts[outcome]++
}

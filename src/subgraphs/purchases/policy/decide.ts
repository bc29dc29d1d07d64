import { RuleOutcome } from '../rules/rule.ts'
import { PurchaseStage, RuleAction, type RuleFinding, rules } from './policy.ts'

/** Answer to the question whether a purchase is approved. */
export enum PurchaseDecision {
  APPROVE = 'approve',
  DECLINE = 'decline',
  CONFIRM = 'confirm',
  UNKNOWN = 'unknown',
}

/** Decision that each stage gives. */
export interface DecisionByStage {
  readonly v1: PurchaseDecision
  readonly v2: PurchaseDecision
  readonly v3: PurchaseDecision
}

const stagesInOrder = Object.values(PurchaseStage)

/**
 * Returns the decision of a stage. A rule that fails with the action `decline` outweighs one with `confirm`, and both
 * outweigh a rule of these actions that lacks facts. The order of the findings does not matter.
 */
export function decide(findings: readonly RuleFinding[], stage: PurchaseStage): PurchaseDecision {
  const deciding = findings.filter(({ rule }) => isWithin(rules[rule].stage, stage))
  const has = (outcome: RuleOutcome, ...actions: readonly RuleAction[]) =>
    deciding.some((finding) => finding.outcome === outcome && actions.includes(finding.action))
  if (has(RuleOutcome.FAIL, RuleAction.DECLINE)) return PurchaseDecision.DECLINE
  if (has(RuleOutcome.FAIL, RuleAction.CONFIRM)) return PurchaseDecision.CONFIRM
  if (has(RuleOutcome.UNKNOWN, RuleAction.DECLINE, RuleAction.CONFIRM)) return PurchaseDecision.UNKNOWN
  return PurchaseDecision.APPROVE
}

const isWithin = (stage: PurchaseStage, limit: PurchaseStage): boolean =>
  stagesInOrder.indexOf(stage) <= stagesInOrder.indexOf(limit)

export const decideByStage = (findings: readonly RuleFinding[]): DecisionByStage => ({
  v1: decide(findings, PurchaseStage.V1),
  v2: decide(findings, PurchaseStage.V2),
  v3: decide(findings, PurchaseStage.V3),
})

/** Whether a rule has failed that does more than log. */
export const isFlagged = (findings: readonly RuleFinding[]): boolean =>
  findings.some(({ outcome, action }) => outcome === RuleOutcome.FAIL && action !== RuleAction.LOG)

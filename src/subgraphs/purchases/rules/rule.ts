import type { PurchaseFacts } from './purchase-facts.ts'

/** Result of a rule. */
export enum RuleOutcome {
  PASS = 'pass',
  FAIL = 'fail',
  UNKNOWN = 'unknown',
}

/** What a rule found about a purchase. */
export interface RuleResult {
  readonly outcome: RuleOutcome
  /** What the rule compared with its limit; null if the facts are missing. */
  readonly measured: number | null
  readonly limit: number | null
  /** The explanation, as a sentence. */
  readonly text: string
}

/** Rule of purchase checks. It is a pure function of the facts. */
export interface Rule<Limits> {
  /** Unit of `measured` and `limit`. Null if the rule measures nothing. */
  readonly unit: string | null
  /**
   * Returns null if the rule does not apply to the purchase. A missing fact gives UNKNOWN, never FAIL, and a higher limit
   * never turns PASS into FAIL.
   */
  readonly evaluate: (facts: PurchaseFacts, limits: Limits) => RuleResult | null
}

/** Returns the finding of a rule that lacks a fact. */
export const unknown = (text: string, limit: number | null = null): RuleResult => ({
  outcome: RuleOutcome.UNKNOWN,
  measured: null,
  limit,
  text,
})

/** Returns the finding of a rule that permits what it measures up to its limit. */
export const upTo = (measured: number, limit: number, text: string): RuleResult => ({
  outcome: measured <= limit ? RuleOutcome.PASS : RuleOutcome.FAIL,
  measured,
  limit,
  text,
})

/** Returns the finding of a rule that measures nothing. */
export const passIf = (passes: boolean, text: string): RuleResult => ({
  outcome: passes ? RuleOutcome.PASS : RuleOutcome.FAIL,
  measured: null,
  limit: null,
  text,
})

import { connected } from '../rules/connected.ts'
import { driverMatches } from '../rules/driver-matches.ts'
import { freshPosition } from '../rules/fresh-position.ts'
import { frequency } from '../rules/frequency.ts'
import { STANDING_LITERS_PER_HOUR } from '../rules/fuel-levels.ts'
import { jurisdiction } from '../rules/jurisdiction.ts'
import { levelKept } from '../rules/level-kept.ts'
import { levelRose } from '../rules/level-rose.ts'
import { nearMerchant } from '../rules/near-merchant.ts'
import { oneCardTwoPlaces } from '../rules/one-card-two-places.ts'
import { productMatches } from '../rules/product-matches.ts'
import type { PurchaseFacts } from '../rules/purchase-facts.ts'
import type { RuleResult, Rule } from '../rules/rule.ts'
import { standing } from '../rules/standing.ts'
import { tankFits } from '../rules/tank-fits.ts'
import { daysOfWeek, workingHours } from '../rules/working-hours.ts'

/** Stage of a roll-out. Each stage decides with the rules of the stages before it and its own. */
export enum PurchaseStage {
  V0 = 'v0',
  V1 = 'v1',
  V2 = 'v2',
  V3 = 'v3',
}

/** What follows if a rule fails. */
export enum RuleAction {
  OFF = 'off',
  LOG = 'log',
  FLAG = 'flag',
  CONFIRM = 'confirm',
  DECLINE = 'decline',
}

const { V1, V2, V3 } = PurchaseStage
const { DECLINE, FLAG } = RuleAction

interface RuleInStage<Limits> {
  readonly rule: Rule<Limits>
  readonly stage: PurchaseStage
  /** Action and limits unless a policy has others. */
  readonly action: RuleAction
  readonly limits: Limits
}

const define = <Limits>(
  stage: PurchaseStage,
  action: RuleAction,
  rule: Rule<Limits>,
  limits: Limits,
): RuleInStage<Limits> => ({ stage, action, rule, limits })

/** All rules by name, with their stages and defaults. Checks name their findings in this order. */
export const rules = {
  near_merchant: define(V1, DECLINE, nearMerchant, {
    maxDistanceMeters: 500,
    maxSpeedKmh: 110,
    maxAgeSeconds: 900,
  }),
  fresh_position: define(V1, DECLINE, freshPosition, { maxAgeSeconds: 900 }),
  standing: define(V1, FLAG, standing, { maxSpeedKmh: 10, withinSeconds: 60 }),
  connected: define(V1, DECLINE, connected, {}),
  driver_matches: define(V1, FLAG, driverMatches, { maxAgeSeconds: 3600 }),
  one_card_two_places: define(V1, DECLINE, oneCardTwoPlaces, { maxSpeedKmh: 130 }),
  tank_fits: define(V2, DECLINE, tankFits, {
    tolerancePercent: 10,
    maxLevelAgeSeconds: 3600,
    maxLitersPerHour: 50,
  }),
  product_matches: define(V2, DECLINE, productMatches, {}),
  working_hours: define(V2, FLAG, workingHours, {
    fromHour: 0,
    untilHour: 24,
    days: daysOfWeek,
    timeZone: null,
  }),
  frequency: define(V2, FLAG, frequency, { maxPurchases: 6, windowSeconds: 86_400 }),
  level_rose: define(V2, FLAG, levelRose, {
    tolerancePercent: 10,
    maxLitersPerHour: 50,
    maxStandingLitersPerHour: STANDING_LITERS_PER_HOUR,
  }),
  level_kept: define(V2, FLAG, levelKept, {
    tolerancePercent: 10,
    maxLitersPerHour: STANDING_LITERS_PER_HOUR,
  }),
  jurisdiction: define(V3, FLAG, jurisdiction, {
    maxDistanceMeters: 5000,
    maxSpeedKmh: 110,
    maxAgeSeconds: 3600,
  }),
} as const

export type RuleName = keyof typeof rules

export const ruleNames = Object.keys(rules) as readonly RuleName[]

/** Rules that compare a capture with later fuel levels. They flag at most: the fuel has been sold. */
export const reconciledRules: readonly RuleName[] = ['level_rose', 'level_kept']

/** Stage, actions and limits by which purchases are checked. */
export interface PurchasePolicy {
  /** Number of the policy; 0 for the defaults. */
  readonly version: number
  readonly stage: PurchaseStage
  readonly rules: { readonly [Name in RuleName]: RulePolicy<(typeof rules)[Name]['limits']> }
}

interface RulePolicy<Limits> {
  readonly action: RuleAction
  readonly limits: Limits
}

/** Policy of an application that has set none: it logs what the rules find, and approves every purchase. */
export const defaultPolicy: PurchasePolicy = {
  version: 0,
  stage: PurchaseStage.V0,
  rules,
}

/** What a rule found under a policy, with its action. */
export interface RuleFinding extends RuleResult {
  readonly rule: RuleName
  readonly unit: string | null
  readonly action: RuleAction
}

/** Evaluates the rules of a policy. Rules that are off, and rules that do not apply to the purchase, have no finding. */
export function evaluateRules(policy: PurchasePolicy, facts: PurchaseFacts): RuleFinding[] {
  return ruleNames.flatMap((name) => {
    const { rule } = rules[name] as RuleInStage<object>
    const { action, limits } = policy.rules[name]
    const finding = action === RuleAction.OFF ? null : rule.evaluate(facts, limits)
    return finding ? [{ ...finding, rule: name, unit: rule.unit, action }] : []
  })
}

import fc from 'fast-check'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { RuleAction, type RuleName } from '../../../src/subgraphs/purchases/policy/policy.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { RuleOutcome } from '../../../src/subgraphs/purchases/rules/rule.ts'
import { NOON } from '../factories.ts'

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const cents = fc.integer({ min: 0, max: 50_000 }).map((value) => value / 100)
const decision = fc.constantFrom(...Object.values(PurchaseDecision))

const findingsAbout = (...rules: readonly RuleName[]) =>
  fc.uniqueArray(
    fc.record({
      rule: fc.constantFrom(...rules),
      outcome: fc.constantFrom(...Object.values(RuleOutcome)),
      action: fc.constantFrom(RuleAction.LOG, RuleAction.FLAG, RuleAction.CONFIRM, RuleAction.DECLINE),
      measured: fc.constant(1),
      limit: fc.constant(2),
      unit: fc.constant('meters'),
      text: fc.constantFrom('Far away.', 'It says "outcome":"fail","action":"decline".'),
    }),
    { selector: ({ rule }) => rule },
  )

/** What a test chooses about a check, with the positions of its vehicle and driver in the fleet. */
export const arbitraryCheck = fc.record({
  connection: fc.nat(1),
  vehicle: fc.nat(2),
  driver: orNull(fc.nat(1)),
  /** An authorization, a capture of one, or a capture without one. */
  kind: fc.constantFrom('authorization', 'capture', 'lone'),
  /** Position of the authorization that a capture belongs to. */
  authorization: fc.nat(20),
  values: fc.record({
    purchasedAt: fc.integer({ min: -5, max: 45 }).map((hours) => NOON + hours * 3_600_000),
    merchant: fc.record({
      name: fc.constantFrom('Lone Star Fuel', ' Lone Star Fuel ', 'LONE STAR FUEL', 'Café "7"\\'),
      categoryCode: fc.constant('5542'),
      address: orNull(
        fc.constantFrom(
          { postalCode: '78701', country: 'US' },
          { postalCode: '78701-4321', country: 'US' },
          { postalCode: 'K1A 0B1', country: 'CA' },
          { postalCode: 'k1a0b1', country: 'CA' },
          { postalCode: null, country: 'US' },
        ),
      ),
    }),
    amount: fc.record({ value: cents, currency: fc.constantFrom('USD', 'CAD', 'MXN') }),
    fuel: orNull(
      fc.record({
        product: fc.constant(FuelProduct.DIESEL),
        liters: orNull(cents.map((value) => value + 1)),
        unitPrice: orNull(fc.constantFrom(1, 2)),
      }),
    ),
    decision,
    wouldBe: fc.record({ v1: decision, v2: decision, v3: decision }),
    reasons: findingsAbout('near_merchant', 'tank_fits', 'standing'),
    reconciliation: orNull(
      fc.record({ reconciledAt: fc.constant(NOON), reasons: findingsAbout('level_rose', 'level_kept') }),
    ),
  }),
})

export type ArbitraryCheck = ReturnType<typeof arbitraryCheck.generate>['value']

export const phaseOf = ({ kind }: ArbitraryCheck): PurchasePhase =>
  kind === 'authorization' ? PurchasePhase.AUTHORIZATION : PurchasePhase.CAPTURE

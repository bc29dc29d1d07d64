import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, decideByStage, PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import {
  defaultPolicy,
  evaluateRules,
  PurchaseStage,
  type PurchasePolicy,
  RuleAction,
  type RuleName,
  ruleNames,
} from '../../../src/subgraphs/purchases/policy/policy.ts'
import { reachableMeters } from '../../../src/subgraphs/purchases/rules/near-merchant.ts'
import type { MerchantPlace, PurchaseFacts } from '../../../src/subgraphs/purchases/rules/purchase-facts.ts'
import { RuleOutcome } from '../../../src/subgraphs/purchases/rules/rule.ts'
import { facts, optionalFacts, withoutFact } from '../../support/purchases/arbitrary-facts.ts'

const stages = Object.values(PurchaseStage)
const actions = fc.constantFrom(...Object.values(RuleAction))

/** Policy with any action for each rule, and the default limits. */
const policies: fc.Arbitrary<PurchasePolicy> = fc
  .array(actions, { minLength: ruleNames.length, maxLength: ruleNames.length })
  .map((chosen) => ({
    ...defaultPolicy,
    rules: Object.fromEntries(
      ruleNames.map((name, at) => [name, { ...defaultPolicy.rules[name], action: chosen[at] }]),
    ) as PurchasePolicy['rules'],
  }))

const findingOf = (policy: PurchasePolicy, name: RuleName, all: PurchaseFacts) =>
  evaluateRules(policy, all).find(({ rule }) => rule === name)

/** Limits of the rules that permit more if the number is higher. */
const loosened = ruleNames.flatMap((name) =>
  Object.keys(defaultPolicy.rules[name].limits)
    .filter((limit) => limit.startsWith('max') || limit.startsWith('tolerance'))
    .map((limit) => [name, limit] as const),
)

describe('the rules', () => {
  test('cover all limits of the policy', () => {
    expect(loosened.map(([, limit]) => limit).sort()).toEqual([
      'maxAgeSeconds',
      'maxAgeSeconds',
      'maxAgeSeconds',
      'maxAgeSeconds',
      'maxDistanceMeters',
      'maxDistanceMeters',
      'maxLevelAgeSeconds',
      'maxLitersPerHour',
      'maxLitersPerHour',
      'maxLitersPerHour',
      'maxPurchases',
      'maxSpeedKmh',
      'maxSpeedKmh',
      'maxSpeedKmh',
      'maxSpeedKmh',
      'maxStandingLitersPerHour',
      'tolerancePercent',
      'tolerancePercent',
      'tolerancePercent',
    ])
  })

  test.each(loosened)('%s: a higher %s never turns a pass into a fail', (name, limit) => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 1000, noNaN: true }), (all, more) => {
        const before = defaultPolicy.rules[name]
        const limits = { ...before.limits, [limit]: (before.limits as Record<string, number>)[limit]! + more }
        const after = { ...defaultPolicy, rules: { ...defaultPolicy.rules, [name]: { ...before, limits } } }
        if (findingOf(defaultPolicy, name, all)?.outcome === RuleOutcome.PASS)
          expect(findingOf(after, name, all)?.outcome).toBe(RuleOutcome.PASS)
      }),
    )
  })

  test.each(optionalFacts.map((path) => [path.join('.'), path] as const))(
    'without %s, no rule that passed or lacked facts fails',
    (_, path) => {
      fc.assert(
        fc.property(facts, (all) => {
          for (const name of ruleNames) {
            const before = findingOf(defaultPolicy, name, all)?.outcome
            const after = findingOf(defaultPolicy, name, withoutFact(all, path))?.outcome
            if (after === RuleOutcome.FAIL) expect(before).toBe(RuleOutcome.FAIL)
          }
        }),
      )
    },
  )

  test('have no finding that fails if nothing is known', () => {
    const nothing = {
      vehicle: null,
      position: null,
      jurisdiction: null,
      fuelLevel: null,
      others: null,
      refill: null,
    }
    fc.assert(
      fc.property(facts, (all) => {
        const outcomes = evaluateRules(defaultPolicy, { ...all, ...nothing }).map(({ outcome }) => outcome)
        expect(outcomes).not.toContain(RuleOutcome.FAIL)
      }),
    )
  })

  test('reach further the older the position is', () => {
    fc.assert(
      fc.property(facts, fc.nat(3_600_000), (all, older) => {
        const { position, purchase } = all
        if (!position || position.locatedAt > purchase.purchasedAt) return
        const { limits } = defaultPolicy.rules.near_merchant
        const aged = { ...all, position: { ...position, locatedAt: position.locatedAt - older } }
        expect(reachableMeters(aged, limits)).toBeGreaterThanOrEqual(reachableMeters(all, limits)!)
        if (findingOf(defaultPolicy, 'near_merchant', all)?.outcome === RuleOutcome.PASS)
          expect(findingOf(defaultPolicy, 'near_merchant', aged)?.outcome).toBe(RuleOutcome.PASS)
      }),
    )
  })

  test('never turn a pass into a fail if places are wider', () => {
    const meters = fc.double({ min: 0, max: 100_000, noNaN: true })
    const widened = (place: MerchantPlace | null, more: number) =>
      place && { ...place, accuracyMeters: place.accuracyMeters + more }
    fc.assert(
      fc.property(facts, meters, meters, (all, more, moreOfOthers) => {
        const wider = {
          ...all,
          purchase: { ...all.purchase, place: widened(all.purchase.place, more) },
          others: all.others?.map((each) => ({ ...each, place: widened(each.place, moreOfOthers) })) ?? null,
        }
        for (const name of ruleNames)
          if (findingOf(defaultPolicy, name, all)?.outcome === RuleOutcome.PASS)
            expect(findingOf(defaultPolicy, name, wider)?.outcome).toBe(RuleOutcome.PASS)
      }),
    )
  })

  test('pass for a vehicle within the area of the merchant, and for another purchase there', () => {
    const part = fc.double({ min: -0.7, max: 0.7, noNaN: true })
    fc.assert(
      fc.property(facts, part, part, (all, east, north) => {
        const { place } = all.purchase
        if (!all.position || !place) return
        const degrees = place.accuracyMeters / 111_200
        const point = {
          longitude: place.longitude + (east * degrees) / Math.cos((place.latitude * Math.PI) / 180),
          latitude: place.latitude + north * degrees,
        }
        const [other] = all.others ?? []
        const there = {
          ...all,
          position: { ...all.position, point },
          others: other ? [{ ...other, place: { ...place, ...point } }] : [],
        }
        expect(findingOf(defaultPolicy, 'near_merchant', there)?.outcome).toBe(RuleOutcome.PASS)
        expect(findingOf(defaultPolicy, 'one_card_two_places', there)?.outcome).toBe(RuleOutcome.PASS)
      }),
    )
  })

  test('never fail for a position that is too old', () => {
    fc.assert(
      fc.property(facts, (all) => {
        expect(findingOf(defaultPolicy, 'fresh_position', all)?.outcome).not.toBe(RuleOutcome.FAIL)
      }),
    )
  })
})

describe('the decision', () => {
  test('does not depend on the order of the findings', () => {
    fc.assert(
      fc.property(
        facts,
        policies,
        fc.constantFrom(...stages),
        fc.infiniteStream(fc.nat()),
        (all, policy, stage, order) => {
          const findings = evaluateRules(policy, all)
          const shuffled = findings
            .map((finding) => [order.next().value as number, finding] as const)
            .toSorted(([one], [other]) => one - other)
            .map(([, finding]) => finding)
          expect(decide(shuffled, stage)).toBe(decide(findings, stage))
        },
      ),
    )
  })

  test.each(optionalFacts.map((path) => [path.join('.'), path] as const))(
    'without %s is never a new DECLINE',
    (_, path) => {
      fc.assert(
        fc.property(facts, policies, (all, policy) => {
          const before = decideByStage(evaluateRules(policy, all))
          const after = decideByStage(evaluateRules(policy, withoutFact(all, path)))
          for (const stage of ['v1', 'v2', 'v3'] as const)
            if (after[stage] === PurchaseDecision.DECLINE)
              expect(before[stage]).toBe(PurchaseDecision.DECLINE)
        }),
      )
    },
  )

  test('approves every purchase at V0', () => {
    fc.assert(
      fc.property(facts, policies, (all, policy) => {
        expect(decide(evaluateRules(policy, all), PurchaseStage.V0)).toBe(PurchaseDecision.APPROVE)
      }),
    )
  })

  test('of a later stage does not approve what an earlier stage declines', () => {
    fc.assert(
      fc.property(facts, policies, (all, policy) => {
        const { v1, v2, v3 } = decideByStage(evaluateRules(policy, all))
        if (v1 === PurchaseDecision.DECLINE) expect(v2).toBe(PurchaseDecision.DECLINE)
        if (v2 === PurchaseDecision.DECLINE) expect(v3).toBe(PurchaseDecision.DECLINE)
      }),
    )
  })
})

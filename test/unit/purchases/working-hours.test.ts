import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DayOfWeek } from '../../../src/domain/calendar.ts'
import { defaultPolicy } from '../../../src/subgraphs/purchases/policy/policy.ts'
import type { PurchaseFacts } from '../../../src/subgraphs/purchases/rules/purchase-facts.ts'
import { RuleOutcome } from '../../../src/subgraphs/purchases/rules/rule.ts'
import {
  daysOfWeek,
  workingHours,
  type WorkingHoursLimits,
} from '../../../src/subgraphs/purchases/rules/working-hours.ts'
import { facts } from '../../support/purchases/arbitrary-facts.ts'

const [ANY_FACTS] = fc.sample(
  facts.filter(({ vehicle }) => vehicle !== null),
  1,
)
const weekdays = daysOfWeek.slice(0, 5)
const { PASS, FAIL } = RuleOutcome

const factsAt = (time: string, timeZone: string | null = 'America/Chicago'): PurchaseFacts => {
  const { purchase, vehicle, ...rest } = ANY_FACTS!
  return {
    ...rest,
    purchase: { ...purchase, purchasedAt: Date.parse(time) },
    vehicle: vehicle && { ...vehicle, timeZone },
  }
}

const limits = (values: Partial<WorkingHoursLimits>): WorkingHoursLimits => ({
  ...defaultPolicy.rules.working_hours.limits,
  ...values,
})

const outcome = (time: string, values: Partial<WorkingHoursLimits>) =>
  workingHours.evaluate(factsAt(time), limits(values))?.outcome

describe('working hours', () => {
  test('do not apply unless a policy has them', () => {
    expect(workingHours.evaluate(factsAt('2026-06-03T12:00:00Z'), limits({}))).toBeNull()
    expect(workingHours.evaluate(factsAt('2026-06-03T12:00:00Z', null), limits({}))).toBeNull()
  })

  // 3 June 2026 is a Wednesday. In summer, Chicago is five hours behind UTC.
  test.each([
    ['2026-06-03T11:00:00Z', PASS],
    ['2026-06-03T10:59:59Z', FAIL],
    ['2026-06-04T00:59:00Z', PASS],
    ['2026-06-04T01:00:00Z', FAIL],
    ['2026-06-06T15:00:00Z', FAIL],
  ])('from 6 to 20 on weekdays: %s is a %s', (time, expected) => {
    expect(outcome(time, { fromHour: 6, untilHour: 20, days: weekdays })).toBe(expected)
  })

  test.each([
    ['on Friday evening', '2026-06-06T03:30:00Z', PASS],
    ['in the night after Friday', '2026-06-06T08:00:00Z', PASS],
    ['on Saturday evening', '2026-06-07T03:30:00Z', FAIL],
    ['in the night before Monday', '2026-06-08T08:00:00Z', FAIL],
    ['in the night after Monday', '2026-06-09T08:00:00Z', PASS],
    ['at noon', '2026-06-03T17:00:00Z', FAIL],
  ])('from 22 to 6 on weekdays: a purchase %s', (_, time, expected) => {
    expect(outcome(time, { fromHour: 22, untilHour: 6, days: weekdays })).toBe(expected)
  })

  test('follow daylight saving time', () => {
    const values = { fromHour: 6.5, untilHour: 20 }
    expect(outcome('2026-06-03T11:30:00Z', values)).toBe(PASS)
    expect(outcome('2026-12-02T11:30:00Z', values)).toBe(FAIL)
    expect(outcome('2026-12-02T12:30:00Z', values)).toBe(PASS)
  })

  test('are those of the time zone of the policy, if it has one', () => {
    const values = { fromHour: 6, untilHour: 20, timeZone: 'Asia/Kolkata' }
    expect(outcome('2026-06-03T01:00:00Z', values)).toBe(PASS)
    expect(outcome('2026-06-03T15:00:00Z', values)).toBe(FAIL)
  })

  test('apply if a list names one day several times', () => {
    const days = daysOfWeek.map(() => DayOfWeek.MONDAY)
    expect(outcome('2026-06-03T17:00:00Z', { days })).toBe(FAIL)
  })

  test('are unknown without a time zone', () => {
    const hours = limits({ fromHour: 6, untilHour: 20 })
    const text = 'The time zone of the fleet is unknown. A policy can set it.'
    for (const zone of [null, 'Mars/Olympus'])
      expect(workingHours.evaluate(factsAt('2026-06-03T12:00:00Z', zone), hours)).toMatchObject({
        outcome: RuleOutcome.UNKNOWN,
        text,
      })
    const unread = { ...factsAt('2026-06-03T12:00:00Z'), vehicle: null }
    expect(workingHours.evaluate(unread, hours)?.outcome).toBe(RuleOutcome.UNKNOWN)
  })

  test('are explained', () => {
    const text = (values: Partial<WorkingHoursLimits>) =>
      workingHours.evaluate(factsAt('2026-06-06T04:40:00Z'), limits(values))?.text
    expect(text({ fromHour: 6.5, untilHour: 20, days: [DayOfWeek.MONDAY, DayOfWeek.FRIDAY] })).toBe(
      'The purchase was on Friday at 23:40 in America/Chicago. Working hours are 06:30 to 20:00 on Monday, Friday.',
    )
    expect(text({ fromHour: 6, untilHour: 24 })).toContain('06:00 to 24:00 every day.')
  })

  test('that are longer never turn a pass into a fail', () => {
    const hour = fc.integer({ min: 0, max: 24 })
    const days = fc.subarray([...daysOfWeek], { minLength: 1 })
    fc.assert(
      fc.property(facts, hour, hour, hour, days, days, (all, from, until, later, some, more) => {
        fc.pre(from < until && until <= later)
        const passes = (given: Partial<WorkingHoursLimits>) =>
          workingHours.evaluate(all, limits(given))?.outcome ?? PASS
        const before = { fromHour: from, untilHour: until, days: some }
        const after = { fromHour: 0, untilHour: later, days: [...new Set([...some, ...more])] }
        if (passes(before) === PASS) expect(passes(after)).toBe(PASS)
      }),
    )
  })
})

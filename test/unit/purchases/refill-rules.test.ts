import { describe, expect, test } from 'vitest'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { fillOf } from '../../../src/subgraphs/purchases/rules/fill.ts'
import { levelKept } from '../../../src/subgraphs/purchases/rules/level-kept.ts'
import { levelRose } from '../../../src/subgraphs/purchases/rules/level-rose.ts'
import { tankFits } from '../../../src/subgraphs/purchases/rules/tank-fits.ts'
import type { OtherPurchase, PurchaseFacts } from '../../../src/subgraphs/purchases/rules/purchase-facts.ts'
import { MINUTE, NOON } from '../../support/factories.ts'

const LIMITS = { tolerancePercent: 10, maxLitersPerHour: 50, maxStandingLitersPerHour: 5 }
const IDLE_LIMITS = { tolerancePercent: 10, maxLitersPerHour: 5 }

/** Levels by minutes after the purchase at noon. */
type Levels = readonly (readonly [minute: number, percent: number])[]

const levelsEvery = (
  minutes: number,
  from: number,
  to: number,
  percentAt: (minute: number) => number,
): Levels =>
  Array.from({ length: Math.floor((to - from) / minutes) + 1 }, (_, at) => {
    const minute = from + at * minutes
    return [minute, percentAt(minute)] as const
  })

const capture = (minute: number, liters: number): OtherPurchase => ({
  purchasedAt: NOON + minute * MINUTE,
  vehicleId: 'vcl_1',
  place: null,
  liters,
  product: FuelProduct.DIESEL,
  authorizationCheckId: null,
  isDeclined: false,
})

/** Facts of a capture of 200 l into a tank of 400 l. The vehicle stands from the purchase on. */
const factsOf = (
  levels: Levels,
  {
    others = [],
    stops = [[0, 1440]],
    runtimes = [],
  }: {
    readonly others?: readonly OtherPurchase[]
    readonly stops?: readonly (readonly [from: number, to: number])[]
    readonly runtimes?: readonly (readonly [minute: number, runningMinutes: number])[]
  } = {},
): PurchaseFacts => ({
  purchase: { ...capture(0, 200), driverId: null, cardId: null, isAddressWrong: false },
  vehicle: {
    isActive: true,
    isConnected: true,
    isHidden: false,
    timeZone: null,
    fuelType: 'diesel',
    capacityLiters: 400,
    capacitySource: null,
    learntLiters: null,
    levelProblem: null,
    capacityProblem: null,
  },
  position: null,
  jurisdiction: null,
  fuelLevel: null,
  others,
  refill: {
    levels: levels.map(([minute, percent]) => ({ percent, measuredAt: NOON + minute * MINUTE })),
    runtimes: runtimes.map(([minute, running]) => ({
      milliseconds: running * MINUTE,
      measuredAt: NOON + minute * MINUTE,
    })),
    stops: stops.map(([from, to]) => ({ from: NOON + from * MINUTE, to: NOON + to * MINUTE })),
  },
})

describe('the rise of the level', () => {
  const outcome = (...facts: Parameters<typeof factsOf>) =>
    levelRose.evaluate(factsOf(...facts), LIMITS)?.outcome
  const filling = levelsEvery(5, -90, 90, (minute) => (minute < 5 ? 30 : 80))
  const driving = levelsEvery(5, -90, 90, (minute) => 30 - (minute + 90) / 30)

  test('equals the liters, or is missing', () => {
    expect(outcome(filling)).toBe('pass')
    expect(outcome(driving)).toBe('fail')
  })

  test('is not proven twice by one fill', () => {
    expect(outcome(filling, { others: [capture(20, 200)] })).toBe('fail')
    expect(outcome(filling, { others: [capture(60, 200)] })).toBe('fail')
    expect(outcome(filling, { others: [{ ...capture(20, 200), product: FuelProduct.DEF }] })).toBe('pass')
    expect(outcome(filling, { others: [{ ...capture(20, 200), vehicleId: 'vcl_2' }] })).toBe('pass')
    expect(outcome(filling, { others: [capture(300, 200)] })).toBe('pass')
  })

  test('may come with the next ignition, because providers repeat the level while the engine is off', () => {
    const repeated = levelsEvery(15, -90, 600, () => 30)
    expect(outcome([...repeated, ...levelsEvery(5, 605, 700, () => 79)])).toBe('pass')
    expect(outcome([...repeated, ...levelsEvery(5, 605, 700, () => 28)])).toBe('fail')
    expect(outcome(repeated)).toBe('unknown')
  })

  test('may come hours later if the tracker measures nothing while the engine is off', () => {
    const before = levelsEvery(10, -90, 0, () => 30)
    const morning = (percent: number) => [...before, ...levelsEvery(10, 600, 660, () => percent)]
    const parked = { stops: [[0, 595] as const] }
    expect(outcome(morning(79), parked)).toBe('pass')
    expect(outcome(morning(55), parked)).toBe('fail')
    // Without positions, the vehicle may have been on the road, and its engine may have used all the liters.
    for (const percent of [30, 55, 79]) expect(outcome(morning(percent), { stops: [] })).toBe('unknown')
    const short = (percent: number) => [...before, ...levelsEvery(10, 100, 160, () => percent)]
    expect(outcome(short(70), { stops: [] })).toBe('pass')
    expect(outcome(short(40), { stops: [] })).toBe('fail')
    // Purchases in the same stop fill the tank together.
    expect(outcome(morning(79), { ...parked, others: [capture(300, 200)] })).toBe('fail')
    // The fuel of this one may still flow when the level is measured.
    expect(outcome(morning(79), { ...parked, others: [capture(590, 200)] })).toBe('unknown')
  })

  test('is unknown if the engine may have used the liters before the next level', () => {
    const after = (...later: (readonly [minute: number, percent: number])[]) =>
      outcome([...levelsEvery(10, -90, 0, () => 30), ...later], { stops: [] })
    for (const percent of [20, 28, 31]) {
      expect(after([600, percent], [610, percent], [620, percent])).toBe('unknown')
      expect(after([120, percent], [130, percent], [140, percent])).toBe('fail')
    }
    // A small rise long after the fill shows nothing of it.
    expect(after([600, 24], [610, 25], [3600, 26], [3610, 26])).toBe('unknown')
  })

  test.each<[string, Levels]>([
    ['after a fall', levelsEvery(15, -90, 0, (minute) => 30 - minute / 30)],
    ['after a small fall', [[-90, 30.6], ...levelsEvery(15, -75, 0, () => 30)]],
    [
      'after a last change',
      [
        [-90, 31.5],
        [-60, 31],
        [-30, 30.6],
        [-2, 30],
      ],
    ],
  ])('may come with the next ignition %s', (_, before) => {
    const repeated = [...before, ...levelsEvery(15, 15, 600, () => 30)]
    expect(outcome([...repeated, ...levelsEvery(5, 605, 700, () => 79)])).toBe('pass')
    expect(outcome([...repeated, ...levelsEvery(5, 605, 700, () => 28)])).toBe('fail')
  })

  test('may come with the next ignition in spite of a single wrong level', () => {
    const repeated = levelsEvery(15, -90, 600, (minute) => (minute === 45 ? 0 : 30))
    expect(outcome([...repeated, ...levelsEvery(5, 605, 700, () => 79)])).toBe('pass')
  })

  test('of a purchase an hour before is not proof of another one', () => {
    const levels = levelsEvery(5, -90, 90, (minute) => (minute < -70 ? 30 : 80))
    expect(outcome(levels, { others: [capture(-75, 200)] })).toBe('fail')
    expect(outcome(levels, { others: [capture(-55, 200)] })).toBe('fail')
  })

  test('allows no fuel for small changes of the level before and after', () => {
    const percentAt = (minute: number) => (minute < -80 ? 29.8 : minute <= 0 ? 30 : minute < 80 ? 55 : 55.2)
    expect(outcome(levelsEvery(5, -90, 90, percentAt), { stops: [] })).toBe('fail')
  })

  test('counts the other purchases until the next level', () => {
    const levels = [...levelsEvery(10, -90, 0, () => 30), ...levelsEvery(10, 3600, 3660, () => 80)]
    const parked = {
      stops: [[0, 3600] as const],
      runtimes: [
        [-90, 0],
        [-30, 60],
        [3600, 100],
      ] as const,
    }
    expect(outcome(levels, parked)).toBe('pass')
    expect(outcome(levels, { ...parked, others: [capture(2400, 200)] })).toBe('fail')
  })

  test('lacks no more than the engine may have used while it ran', () => {
    const morning = (percent: number) => [
      ...levelsEvery(10, -90, 0, () => 30),
      ...levelsEvery(10, 600, 660, () => percent),
    ]
    const outcomeAfter = (percent: number, ...runtimes: (readonly [minute: number, running: number])[]) =>
      outcome(morning(percent), { stops: [], runtimes })
    expect(outcomeAfter(79, [-90, 0], [-30, 60], [600, 92])).toBe('pass')
    expect(outcomeAfter(55, [-90, 0], [-30, 60], [600, 92])).toBe('fail')
    // It ran for five hours.
    expect(outcomeAfter(55, [-90, 0], [-30, 60], [600, 390])).toBe('unknown')
    // A counter that stands still, starts again, or has no reading before or after the fill, shows nothing.
    expect(outcomeAfter(55, [-90, 60], [-30, 60], [600, 60])).toBe('unknown')
    expect(outcomeAfter(55, [-90, 9000], [-30, 9060], [600, 2], [9000, 9900])).toBe('unknown')
    expect(outcomeAfter(55, [10, 90], [600, 92])).toBe('unknown')
    expect(outcomeAfter(55, [-90, 0], [-30, 60])).toBe('unknown')
    // While it stood, its engine idled for half an hour, not for ten hours.
    const parked = { stops: [[0, 595] as const] }
    const idled = {
      ...parked,
      runtimes: [
        [-90, 0],
        [-30, 60],
        [600, 120],
      ] as const,
    }
    expect(outcome(morning(59), parked)).toBe('pass')
    expect(outcome(morning(59), idled)).toBe('fail')
  })

  test('allows no more than a fifth of the tank an hour on the road', () => {
    const outcomeOfPickup = (percent: number) => {
      const levels = [...levelsEvery(10, -90, 0, () => 30), ...levelsEvery(10, 90, 150, () => percent)]
      const { vehicle, purchase, ...facts } = factsOf(levels, { stops: [] })
      const pickup = { ...vehicle!, capacityLiters: 80 }
      return levelRose.evaluate({ ...facts, vehicle: pickup, purchase: { ...purchase, liters: 40 } }, LIMITS)
        ?.outcome
    }
    expect(outcomeOfPickup(70)).toBe('pass')
    expect(outcomeOfPickup(35)).toBe('fail')
  })

  test('allows what the policy says that an engine uses while the vehicle stands', () => {
    const levels = [...levelsEvery(10, -90, 0, () => 30), ...levelsEvery(10, 480, 540, () => 50)]
    const facts = factsOf(levels, { stops: [[0, 475]] })
    expect(levelRose.evaluate(facts, LIMITS)?.outcome).toBe('fail')
    expect(levelRose.evaluate(facts, { ...LIMITS, maxStandingLitersPerHour: 12 })?.outcome).toBe('pass')
  })

  test('is not compared if the fuel sensor may be broken', () => {
    const facts = factsOf(driving)
    const vehicle = { ...facts.vehicle!, levelProblem: 'The sensor may be broken.' }
    expect(levelRose.evaluate({ ...facts, vehicle }, LIMITS)?.outcome).toBe('unknown')
    expect(levelKept.evaluate({ ...facts, vehicle }, IDLE_LIMITS)?.outcome).toBe('unknown')
  })

  test('is compared with a doubtful capacity too: a thief who fills cans makes it doubtful', () => {
    const facts = factsOf(driving)
    const vehicle = { ...facts.vehicle!, capacityProblem: 'The capacity may be wrong.', learntLiters: 600 }
    expect(levelRose.evaluate({ ...facts, vehicle }, LIMITS)).toMatchObject({
      outcome: 'fail',
      text: '200 l were bought; the fuel level rose by 0 l. The capacity may be wrong.',
    })
  })

  test('shows the tank only if all purchases around it are known', () => {
    const complete = (others: readonly OtherPurchase[]) => fillOf(factsOf(filling, { others }))?.isComplete
    expect(complete([])).toBe(true)
    expect(complete([capture(20, 100)])).toBe(true)
    expect(complete([{ ...capture(20, 100), liters: null }])).toBe(false)
    const repeated = { ...capture(0, 200), liters: null, authorizationCheckId: 'pchk_1' }
    const facts = factsOf(filling, { others: [repeated] })
    const captured = { ...facts, purchase: { ...facts.purchase, authorizationCheckId: 'pchk_1' } }
    expect([fillOf(facts)?.isComplete, fillOf(captured)?.isComplete]).toEqual([false, true])
    expect(complete([capture(-70, 100)])).toBe(false)
    expect(complete([{ ...capture(-70, 100), vehicleId: 'vcl_2' }])).toBe(true)
  })

  test('is unknown without levels on both sides', () => {
    expect(outcome(filling.filter(([minute]) => minute > -30))).toBe('unknown')
    expect(outcome(filling.filter(([minute]) => minute < 30))).toBe('unknown')
    expect(outcome([])).toBe('unknown')
  })

  test('is not made by a single wrong level', () => {
    expect(outcome(driving.map(([minute, percent]) => [minute, minute === -10 ? 0 : percent]))).toBe('fail')
  })
})

describe('the level that is kept', () => {
  const outcome = (...facts: Parameters<typeof factsOf>) =>
    levelKept.evaluate(factsOf(...facts), IDLE_LIMITS)?.outcome
  const kept = levelsEvery(10, 0, 1440, () => 80)
  const siphoned = levelsEvery(10, 0, 1440, (minute) => (minute < 600 ? 80 : 50))

  test('stays while the vehicle stands, or drops', () => {
    expect(outcome(kept)).toBe('pass')
    expect(outcome(siphoned)).toBe('fail')
  })

  test('may drop slowly while the engine idles', () => {
    expect(outcome(levelsEvery(10, 0, 1440, (minute) => 80 - minute / 60))).toBe('pass')
  })

  test.each([
    ['the last one', [1440]],
    ['two in a row', [600, 610]],
    ['the last two', [1430, 1440]],
  ])('does not count %s as a drop', (_, wrong) => {
    const levels = kept.map(([minute, percent]) => [minute, wrong.includes(minute) ? 0 : percent] as const)
    expect(outcome(levels)).toBe('pass')
  })

  test('counts only while the vehicle stands, and until the next purchase', () => {
    expect(
      outcome(siphoned, {
        stops: [
          [0, 590],
          [620, 1440],
        ],
      }),
    ).toBe('pass')
    expect(outcome(siphoned, { stops: [[0, 20]] })).toBe('unknown')
    expect(outcome(siphoned, { others: [capture(300, 100)] })).toBe('pass')
  })
})

describe('the room in the tank', () => {
  test('grows by no more than a fifth of the tank an hour', () => {
    const { vehicle, purchase, ...facts } = factsOf([])
    const pickup = { ...vehicle!, capacityLiters: 80 }
    const fuelLevel = { percent: 80, measuredAt: NOON - 50 * MINUTE }
    const outcomeOf = (liters: number) =>
      tankFits.evaluate(
        { ...facts, vehicle: pickup, fuelLevel, purchase: { ...purchase, liters } },
        { tolerancePercent: 10, maxLevelAgeSeconds: 3600, maxLitersPerHour: 50 },
      )?.outcome
    expect(outcomeOf(35)).toBe('pass')
    expect(outcomeOf(50)).toBe('fail')
  })
})

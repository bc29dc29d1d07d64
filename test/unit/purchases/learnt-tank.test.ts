import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../support/factories.ts'
import {
  capacityProblemOf,
  isTelling,
  levelProblemOf,
  type ObservedFill,
  tankOf,
  withFill,
} from '../../../src/subgraphs/purchases/evidence/learnt-tank.ts'

const HOUR = 60 * MINUTE

const fillsOf = (
  ...fills: readonly (readonly [liters: number, risenPercent: number | null])[]
): ObservedFill[] =>
  fills.map(([liters, risenPercent], at) => ({
    checkId: `check ${at}`,
    filledAt: at * DAY,
    liters,
    risenPercent,
    risenAt: risenPercent === null ? null : at * DAY + HOUR,
  }))

/** Fills of a tank of 400 l, whose level is read with an error. */
const honest = fillsOf([200, 51], [240, 59], [100, 24], [160, 41], [300, 76])

describe('the capacity that fills show', () => {
  test('is between those of the middle half', () => {
    const { capacity } = tankOf(honest)
    expect(capacity!.leastLiters).toBeGreaterThan(380)
    expect(capacity!.mostLiters).toBeLessThan(420)
  })

  test('needs five fills that raised the level by 20 points', () => {
    expect(tankOf(honest.slice(1)).capacity).toBeNull()
    expect(tankOf([...honest.slice(1), ...fillsOf([40, 10])]).capacity).toBeNull()
    expect(tankOf([]).capacity).toBeNull()
  })

  test('is unknown if the fills contradict each other', () => {
    expect(tankOf(fillsOf([200, 20], [200, 40], [200, 60], [200, 80], [200, 90])).capacity).toBeNull()
  })

  test('is not moved by a thief who fills cans too', () => {
    const { capacity } = tankOf([...honest, ...fillsOf([400, 50])])
    expect(capacity!.mostLiters).toBeLessThan(420)
  })

  test('contains the true one whatever the fills, if the sensor is exact', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 40, max: 1500, noNaN: true }),
        fc.array(fc.double({ min: 20, max: 100, noNaN: true }), { minLength: 5, maxLength: 12 }),
        (liters, rises) => {
          const { capacity } = tankOf(fillsOf(...rises.map((rise) => [(liters * rise) / 100, rise] as const)))
          expect(capacity!.leastLiters).toBeCloseTo(liters)
          expect(capacity!.mostLiters).toBeCloseTo(liters)
        },
      ),
    )
  })
})

describe('the known capacity', () => {
  test('is doubtful if the fills contradict it', () => {
    const tank = tankOf(honest)
    expect(capacityProblemOf(tank, 200)).toMatch(
      /^The last fills show a fuel capacity of about 4\d\d l, not of 200 l\.$/,
    )
    expect(capacityProblemOf(tank, 800)).toMatch(/not of 800 l/)
    expect(capacityProblemOf(tank, 420)).toBeNull()
    expect(capacityProblemOf(tank, null)).toBeNull()
    expect(capacityProblemOf(tankOf([]), 200)).toBeNull()
  })
})

describe('the level', () => {
  test('cannot be used if it did not change at the last three fills', () => {
    const stuck = fillsOf([200, null], [200, null], [200, null])
    expect(levelProblemOf(tankOf(stuck))).toMatch(/sensor may be broken/)
    expect(levelProblemOf(tankOf(stuck.slice(1)))).toBeNull()
    expect(levelProblemOf(tankOf([...stuck, ...fillsOf([200, 50])]))).toBeNull()
    expect(levelProblemOf(tankOf([...fillsOf([200, 50]), ...stuck]))).toMatch(/sensor/)
  })

  test('need not show a small fill', () => {
    expect(isTelling(1, 400)).toBe(false)
    expect(isTelling(40, 400)).toBe(true)
    expect(isTelling(49, null)).toBe(false)
    expect(isTelling(50, null)).toBe(true)
  })
})

describe('the fills of a vehicle', () => {
  const fill = honest[0]!

  test('contain each fill once', () => {
    const again = { ...fill, liters: 210 }
    const twin = { ...fill, checkId: 'twin', filledAt: fill.filledAt + HOUR / 2, risenAt: null }
    const overnight = { ...fill, checkId: 'overnight', filledAt: fill.filledAt + 5 * HOUR }
    for (const same of [again, twin, overnight]) expect(withFill([fill], same)).toEqual([same])
    const next = {
      ...fill,
      checkId: 'next',
      filledAt: fill.filledAt + 5 * HOUR,
      risenAt: fill.filledAt + 6 * HOUR,
    }
    expect(withFill([next], fill)).toEqual([fill, next])
  })

  test('are the last twelve', () => {
    const many = fillsOf(...Array.from({ length: 14 }, () => [200, 50] as const))
    const kept = many.reduce<ObservedFill[]>((fills, one) => withFill(fills, one), [])
    expect(kept).toEqual(many.slice(2))
  })
})

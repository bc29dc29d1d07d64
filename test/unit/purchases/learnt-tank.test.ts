import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ObservedFill,
  tankOf,
  tankProblemOf,
} from '../../../src/subgraphs/purchases/evidence/learnt-tank.ts'

const fillsOf = (
  ...fills: readonly (readonly [liters: number, risenPercent: number | null])[]
): ObservedFill[] =>
  fills.map(([liters, risenPercent], at) => ({ checkId: `check ${at}`, filledAt: at, liters, risenPercent }))

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

describe('the problem of a tank', () => {
  test('is a capacity that the fills contradict', () => {
    const tank = tankOf(honest)
    expect(tankProblemOf(tank, 200)).toMatch(
      /^The last fills show a fuel capacity of about 4\d\d l, not of 200 l\.$/,
    )
    expect(tankProblemOf(tank, 800)).toMatch(/not of 800 l/)
    expect(tankProblemOf(tank, 420)).toBeNull()
    expect(tankProblemOf(tank, null)).toBeNull()
    expect(tankProblemOf(tankOf([]), 200)).toBeNull()
  })

  test('is a level that did not change at the last three fills', () => {
    const stuck = fillsOf([200, null], [200, null], [200, null])
    expect(tankProblemOf(tankOf(stuck), 400)).toMatch(/sensor may be broken/)
    expect(tankProblemOf(tankOf(stuck.slice(1)), 400)).toBeNull()
    expect(tankProblemOf(tankOf([...stuck, ...fillsOf([200, 50])]), 400)).toBeNull()
    expect(tankProblemOf(tankOf([...fillsOf([200, 50]), ...stuck]), 400)).toMatch(/sensor/)
  })
})

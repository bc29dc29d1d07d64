import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { milesToKilometers, usGallonsToLiters } from '../../../src/domain/units.ts'
import { fuelTypesOf, iftaFuels } from '../../../src/subgraphs/purchases/ifta-report/ifta-fuel.ts'
import { findQuarter, spanOf } from '../../../src/subgraphs/purchases/ifta-report/quarter.ts'
import {
  fuelFor,
  hundredthsOf,
  iftaUnits,
  type JurisdictionSums,
  taxReturnOf,
} from '../../../src/subgraphs/purchases/ifta-report/tax-return.ts'

const inUs = (jurisdiction: string | null, miles: number, gallons: number): JurisdictionSums => ({
  jurisdiction,
  kilometers: milesToKilometers(miles),
  liters: usGallonsToLiters(gallons),
})

/** Miles and gallons of a public worksheet. What it leaves out is in Texas here. */
const WORKSHEET = [
  inUs('AL', 5742, 1140),
  inUs('AR', 22_815, 3325),
  inUs('GA', 67, 0),
  inUs('IL', 944, 0),
  inUs('IN', 901, 416),
  inUs('TX', 142_939, 28_042),
]

describe('the return of a quarter', () => {
  test('is computed from whole numbers and a mean consumption with two decimals', () => {
    const { jurisdictions, ...totals } = taxReturnOf(WORKSHEET, 'us')
    expect(totals).toEqual({
      distancePerFuel: 5.27,
      distance: 173_408,
      bought: 32_923,
      used: 32_905,
      taxPaid: 32_923,
      net: -18,
    })
    expect(
      jurisdictions.map(({ jurisdiction, distance, used, bought, net }) => [
        jurisdiction,
        distance,
        used,
        bought,
        net,
      ]),
    ).toEqual([
      ['AL', 5742, 1090, 1140, -50],
      ['AR', 22_815, 4329, 3325, 1004],
      ['GA', 67, 13, 0, 13],
      ['IL', 944, 179, 0, 179],
      ['IN', 901, 171, 416, -245],
      ['TX', 142_939, 27_123, 28_042, -919],
    ])
  })

  test('has the gallons of the public worksheet by its mean consumption, which drops the further digits', () => {
    const gallons = [5742, 22_815, 67, 944, 901].map((miles) => fuelFor(miles, 526))
    expect(gallons).toEqual([1092, 4337, 13, 179, 171])
    expect(1092 - 1140).toBe(-48)
  })

  test.each([
    [1053, 200, 527],
    [1052, 200, 526],
    [173_408, 32_923, 527],
    [0, 10, null],
    [10, 0, null],
    [1, 1_000_000, null],
  ])('rounds %i by %i half up to %s hundredths', (distance, fuel, hundredths) => {
    expect(hundredthsOf(distance, fuel)).toBe(hundredths)
  })

  test('in kilometers and liters is computed from these', () => {
    const sums = [
      { jurisdiction: 'ON', kilometers: 1000.4, liters: 400.5 },
      { jurisdiction: 'QC', kilometers: 499.5, liters: 199 },
    ]
    expect(taxReturnOf(sums, 'metric')).toMatchObject({
      distancePerFuel: 2.5,
      distance: 1500,
      bought: 600,
      jurisdictions: [
        { jurisdiction: 'ON', distance: 1000, bought: 401, used: 400, net: -1 },
        { jurisdiction: 'QC', distance: 500, bought: 199, used: 200, net: 1 },
      ],
    })
  })

  test('counts other jurisdictions only for the mean consumption', () => {
    const sums = [inUs(null, 100, 20), inUs('DC', 100, 20), inUs('VA', 300, 60)]
    expect(taxReturnOf(sums, 'us')).toMatchObject({
      distancePerFuel: 5,
      distance: 500,
      bought: 100,
      used: 60,
      taxPaid: 60,
      net: 0,
      jurisdictions: [
        { jurisdiction: 'DC', isMember: false, distance: 100, bought: 20, used: null, net: null },
        { jurisdiction: 'VA', isMember: true, distance: 300, bought: 60, used: 60, net: 0 },
        { jurisdiction: null, isMember: false, distance: 100, bought: 20, used: null, net: null },
      ],
    })
  })

  test('has neither used nor net fuel without a mean consumption', () => {
    for (const sums of [inUs('TX', 100, 0), inUs('TX', 0, 100)])
      expect(taxReturnOf([sums], 'us')).toMatchObject({
        distancePerFuel: null,
        used: null,
        net: null,
        jurisdictions: [{ used: null, net: null }],
      })
    expect(taxReturnOf([], 'us')).toMatchObject({ distance: 0, bought: 0, jurisdictions: [] })
  })

  const sums = fc
    .uniqueArray(fc.constantFrom('AL', 'TX', 'NY', 'ON', 'QC', 'DC', 'AK', null), { minLength: 1 })
    .chain((jurisdictions) =>
      fc.tuple(
        ...jurisdictions.map((jurisdiction) =>
          fc.record({
            jurisdiction: fc.constant(jurisdiction),
            kilometers: fc.double({ min: 0, max: 1e7, noNaN: true }),
            liters: fc.double({ min: 0, max: 1e6, noNaN: true }),
          }),
        ),
      ),
    )

  test.each(iftaUnits)('loses no jurisdiction, and its lines add up, whatever their order: %s', (units) => {
    fc.assert(
      fc.property(sums, (given) => {
        const report = taxReturnOf(given, units)
        const { jurisdictions: lines, distance, bought, used, taxPaid, net } = report
        const total = (name: 'distance' | 'bought' | 'used' | 'net') =>
          lines.reduce((sum, line) => sum + (line[name] ?? 0), 0)
        expect(new Set(lines.map(({ jurisdiction }) => jurisdiction))).toEqual(
          new Set(given.map(({ jurisdiction }) => jurisdiction)),
        )
        expect([total('distance'), total('bought')]).toEqual([distance, bought])
        if (net !== null) expect([total('used'), total('net')]).toEqual([used, used! - taxPaid])
        if (net !== null) expect(net).toBe(used! - taxPaid)
        expect(taxReturnOf(given.toReversed(), units)).toEqual(report)
      }),
    )
  })
})

describe('a quarter', () => {
  test('has three months, and ends in the time zone of the fleet', () => {
    const quarter = findQuarter('2026-Q4')!
    expect(quarter.months).toEqual(['2026-10', '2026-11', '2026-12'])
    expect(spanOf(quarter, 'America/Chicago')).toEqual({
      startsAt: Date.parse('2026-10-01T05:00:00Z'),
      endsAt: Date.parse('2027-01-01T06:00:00Z'),
    })
    for (const zone of [null, 'Nowhere'])
      expect(spanOf(findQuarter('2026-Q1')!, zone)).toEqual({
        startsAt: Date.parse('2026-01-01T00:00:00Z'),
        endsAt: Date.parse('2026-04-01T00:00:00Z'),
      })
  })

  test.each(['2026-Q0', '2026-Q5', '2026Q3', '2026-q3', ' 2026-Q3', '1999-Q3', '2026-07', ''])(
    'is not %j',
    (text) => {
      expect(findQuarter(text)).toBeNull()
    },
  )
})

test('each fuel has the vehicles that use it, also hybrids', () => {
  expect(iftaFuels.map((fuel) => [fuel, fuelTypesOf(fuel)])).toEqual([
    ['diesel', ['diesel', 'hybrid_diesel']],
    ['gasoline', ['gasoline', 'hybrid_gasoline']],
    ['propane', ['propane']],
  ])
})

import { describe, expect, test } from 'vitest'
import type { GpsFix } from '../../../src/sync/ifta/mileage/gps-fix.ts'
import { interpolate, kilometersBetween } from '../../../src/domain/geo/geodesy.ts'
import { calculateMileage } from '../../../src/sync/ifta/mileage/mileage-calculator.ts'
import { at, byJurisdiction, drive, lengthOf, place, total } from '../../support/ifta/tracks.ts'

const noon = at('2024-05-15T17:00:00Z')
const chicago = { timeZone: 'America/Chicago' }
/** Here the border of Kansas and Missouri is a meridian. */
const stateLine = -94.6076
const west = place(39.05, -95)
const east = place(39.05, -94.2)

test.each([
  [179.9, -179.9, 0.25, 179.95],
  [179.9, -179.9, 0.75, -179.95],
  [-179.9, 179.9, 0.25, -179.95],
  [-95, -94, 0.5, -94.5],
])(
  'the line from longitude %d to %d passes at %d of its length through %d',
  (from, to, fraction, longitude) => {
    expect(interpolate(place(52, from), place(53, to), fraction)).toEqual({
      longitude: expect.closeTo(longitude, 6),
      latitude: 52 + fraction,
    })
  },
)

describe('a border', () => {
  test('splits the route at the crossing', async () => {
    const result = await calculateMileage(drive([west, east], { startAt: noon }), chicago)
    const { KS, MO, ...others } = byJurisdiction(result)
    expect(Math.abs(KS! - kilometersBetween(west, place(39.05, stateLine)))).toBeLessThan(0.3)
    expect(KS! + MO!).toBeCloseTo(kilometersBetween(west, east), 2)
    expect(others).toEqual({})
    expect(result.gaps).toEqual([])
  })

  test('is located to within 50 m in a step of several kilometers', async () => {
    const fine = byJurisdiction(
      await calculateMileage(drive([west, east], { startAt: noon, everySeconds: 2 }), chicago),
    )
    const coarse = byJurisdiction(
      await calculateMileage(drive([west, east], { startAt: noon, everySeconds: 170 }), chicago),
    )
    expect(Math.abs(coarse.KS! - fine.KS!)).toBeLessThan(0.05)
  })

  test('does not hide a third jurisdiction between two fixes', async () => {
    // At the Four Corners this line crosses three of the four states.
    const corners: GpsFix[] = [
      { ...place(37.008, -109.075), locatedAt: noon },
      { ...place(36.985, -109.038), locatedAt: noon + 240_000 },
    ]
    const sums = byJurisdiction(await calculateMileage(corners, chicago))
    expect(Object.keys(sums).toSorted()).toEqual(['AZ', 'NM', 'UT'])
  })

  test('is crossed twice around an enclave', async () => {
    const route = [place(41.262, -95.98), place(41.29, -95.912), place(41.33, -95.98)]
    const { NE, IA, ...others } = byJurisdiction(
      await calculateMileage(drive(route, { startAt: noon, kph: 50 }), chicago),
    )
    expect(others).toEqual({})
    expect(IA).toBeGreaterThan(0.5)
    expect(NE! + IA!).toBeCloseTo(lengthOf(route), 2)
  })

  test('of two countries is crossed once although the sources overlap', async () => {
    const route = [place(48.7519, -122.4787), place(48.98, -122.735), place(49.1, -122.8)]
    const result = await calculateMileage(drive(route, { startAt: noon }), {
      timeZone: 'America/Los_Angeles',
    })
    const { WA, BC, ...others } = byJurisdiction(result)
    expect(others).toEqual({})
    expect(WA).toBeGreaterThan(25)
    expect(BC).toBeGreaterThan(10)
  })
})

describe('a long route', () => {
  const interstate35 = [
    place(34.1743, -97.1436),
    place(35.4676, -97.5164),
    place(37.6872, -97.3301),
    place(38.4039, -96.1817),
    place(39.0997, -94.5786),
    place(40.2683, -94.0283),
    place(41.5868, -93.625),
    place(43.1536, -93.201),
    place(43.648, -93.3683),
  ]

  test('is divided by state', async () => {
    const result = await calculateMileage(drive(interstate35, { startAt: noon }), chicago)
    const sums = byJurisdiction(result)
    expect(Object.keys(sums)).toEqual(['OK', 'KS', 'MO', 'IA', 'MN'])
    expect(total(result)).toBeCloseTo(lengthOf(interstate35), 0)
    expect(sums.MO).toBeGreaterThan(140)
    expect(sums.MO).toBeLessThan(185)
    expect(sums.IA).toBeGreaterThan(320)
    expect(sums.IA).toBeLessThan(340)
  })

  test('has the length that the odometer shows', async () => {
    const result = await calculateMileage(
      drive(interstate35, { startAt: noon, odometerScale: 1.08 }),
      chicago,
    )
    const plain = byJurisdiction(await calculateMileage(drive(interstate35, { startAt: noon }), chicago))
    const scaled = byJurisdiction(result)
    for (const [jurisdiction, kilometers] of Object.entries(plain))
      expect(scaled[jurisdiction]).toBeCloseTo(kilometers * 1.08, 1)
  })

  test('has the length that an odometer with whole kilometers shows', async () => {
    const fixes = [...drive(interstate35, { startAt: noon, odometerScale: 1.05 })].map((fix) => ({
      ...fix,
      odometerKilometers: Math.floor(fix.odometerKilometers!),
    }))
    const result = await calculateMileage(fixes, chicago)
    expect(Math.abs(total(result) - lengthOf(interstate35) * 1.05)).toBeLessThan(1)
  })

  test('is measured by its fixes if the odometer is implausible', async () => {
    for (const odometerScale of [0, 0.3, 3]) {
      const result = await calculateMileage(drive(interstate35, { startAt: noon, odometerScale }), chicago)
      expect(total(result)).toBeCloseTo(lengthOf(interstate35), 0)
    }
    const replaced = [...drive(interstate35, { startAt: noon, odometerScale: 1 })].map((fix, index) => ({
      ...fix,
      odometerKilometers: fix.odometerKilometers! - (index > 600 ? 4000 : 0),
    }))
    expect(total(await calculateMileage(replaced, chicago))).toBeCloseTo(lengthOf(interstate35), 0)
  })

  test('is scaled between sparse odometer readings', async () => {
    const fixes = [...drive(interstate35, { startAt: noon, odometerScale: 1.1 })]
    const last = fixes.length - 1
    const sparse = fixes.map((fix, index) =>
      index % 50 === 0 || index === last ? fix : { ...fix, odometerKilometers: null },
    )
    expect(total(await calculateMileage(sparse, chicago))).toBeCloseTo(lengthOf(interstate35) * 1.1, 0)
  })
})

describe('a gap', () => {
  const fixAt = (minutes: number, longitude: number, odometerKilometers: number | null = null): GpsFix => ({
    ...place(39.05, longitude),
    locatedAt: noon + minutes * 60_000,
    odometerKilometers,
  })

  test('of more than ten minutes is listed, and its distance has no jurisdiction', async () => {
    const result = await calculateMileage([fixAt(0, -94.7, 100), fixAt(11, -94.65, 105)], chicago)
    expect(result.distances).toEqual([{ month: '2024-05', jurisdiction: null, kilometers: 5 }])
    expect(result.gaps).toEqual([
      {
        startedAt: noon,
        endedAt: noon + 660_000,
        reason: 'time',
        fromJurisdiction: 'KS',
        toJurisdiction: 'KS',
        straightKilometers: expect.closeTo(4.318, 2),
        odometerKilometers: 5,
      },
    ])
  })

  test('of more than five kilometers is listed even if it is short', async () => {
    const result = await calculateMileage([fixAt(0, -94.7, 100), fixAt(5, -94.6, 109)], chicago)
    expect(byJurisdiction(result)).toEqual({ null: 9 })
    expect(result.gaps).toMatchObject([{ reason: 'distance', fromJurisdiction: 'KS', toJurisdiction: 'MO' }])
  })

  test('is listed if a fix implies an impossible speed', async () => {
    const jump = [
      fixAt(0, -94.7),
      fixAt(0.5, -94.69),
      fixAt(0.6, -94.65),
      fixAt(0.7, -94.689),
      fixAt(1.2, -94.68),
    ]
    const result = await calculateMileage(jump, chicago)
    expect(result.gaps.map(({ reason }) => reason)).toEqual(['speed', 'speed'])
    expect(total(result)).toBeCloseTo(kilometersBetween(place(39.05, -94.7), place(39.05, -94.681)), 2)
  })

  test('without an odometer adds no distance', async () => {
    const result = await calculateMileage([fixAt(0, -94.7), fixAt(30, -94.2), fixAt(31, -94.19)], chicago)
    expect(byJurisdiction(result)).toEqual({ MO: expect.closeTo(0.863, 2) })
    expect(result.gaps).toMatchObject([{ odometerKilometers: null }])
  })

  test('with an implausible odometer jump adds no distance', async () => {
    const result = await calculateMileage([fixAt(0, -94.7, 100), fixAt(30, -94.5, 60_000)], chicago)
    expect(result.distances).toEqual([])
    expect(result.gaps).toMatchObject([{ odometerKilometers: null }])
  })

  test('is not listed if the vehicle stood still', async () => {
    const result = await calculateMileage([fixAt(0, -94.7, 100), fixAt(600, -94.7001, 100)], chicago)
    expect(result.gaps).toEqual([])
    expect(total(result)).toBeLessThan(0.01)
  })

  test('is listed if the vehicle moved and returned', async () => {
    const result = await calculateMileage([fixAt(0, -94.7, 100), fixAt(60, -94.7, 140)], chicago)
    expect(byJurisdiction(result)).toEqual({ null: 40 })
    expect(result.gaps).toMatchObject([{ reason: 'time', straightKilometers: 0 }])
  })

  test('does not stop the scaling of the track before and after it', async () => {
    const before = [...drive([place(39.05, -95), place(39.05, -94.9)], { startAt: noon, odometerScale: 1.2 })]
    const after = [
      ...drive([place(39.05, -94.8), place(39.05, -94.7)], { startAt: noon + 3_600_000, odometerScale: 1.2 }),
    ].map((fix) => ({ ...fix, odometerKilometers: fix.odometerKilometers! + 25 }))
    const trackedKilometers = 2 * kilometersBetween(place(39.05, -95), place(39.05, -94.9))
    const { KS, null: inGap } = byJurisdiction(await calculateMileage([...before, ...after], chicago))
    expect(KS).toBeCloseTo(trackedKilometers * 1.2, 2)
    expect(inGap).toBeCloseTo(25 - (trackedKilometers / 2) * 1.2, 2)
  })
})

describe('a track', () => {
  test('of no fix or one has no distance', async () => {
    expect(await calculateMileage([], chicago)).toEqual({ distances: [], gaps: [] })
    expect(total(await calculateMileage([{ ...west, locatedAt: noon }], chicago))).toBe(0)
  })

  test('must be in the order of time', async () => {
    const backward = [
      { ...west, locatedAt: noon },
      { ...west, locatedAt: noon - 1 },
    ]
    await expect(calculateMileage(backward, chicago)).rejects.toThrow('in the order of their times')
  })

  test('in Mexico has no jurisdiction', async () => {
    const mexico = drive([place(25.6866, -100.3161), place(26.5, -100.2)], { startAt: noon })
    const result = await calculateMileage(mexico, chicago)
    expect(Object.keys(byJurisdiction(result))).toEqual(['null'])
    expect(result.gaps).toEqual([])
  })
})

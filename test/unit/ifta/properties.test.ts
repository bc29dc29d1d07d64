import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GpsFix } from '../../../src/sync/ifta/mileage/gps-fix.ts'
import { type MileageResult, calculateMileage } from '../../../src/sync/ifta/mileage/mileage-calculator.ts'
import { at, byJurisdiction, lengthOf, total } from '../../support/ifta/tracks.ts'

const startAt = at('2024-05-10T12:00:00Z')
const chicago = { timeZone: 'America/Chicago' }
const STEP_MS = 180_000

/** Locations near the borders of several jurisdictions. */
const origins = [
  { latitude: 39.05, longitude: -94.6 },
  { latitude: 36.999, longitude: -109.045 },
  { latitude: 38.9, longitude: -77.03 },
  { latitude: 49, longitude: -122.75 },
  { latitude: 42.32, longitude: -83.05 },
  { latitude: 40.7, longitude: -74.02 },
  { latitude: 36.54, longitude: -89.5 },
]

const step = fc.tuple(
  fc.double({ min: -0.02, max: 0.02, noNaN: true }),
  fc.double({ min: -0.02, max: 0.02, noNaN: true }),
)

/** Tracks without gaps: steps of at most 3.2 km every three minutes. */
const tracks = fc
  .tuple(fc.constantFrom(...origins), fc.array(step, { minLength: 1, maxLength: 40 }))
  .map(([origin, steps]) => {
    let { latitude, longitude } = origin
    return [[0, 0] as const, ...steps].map(([north, east], index): GpsFix => ({
      latitude: (latitude += north),
      longitude: (longitude += east),
      locatedAt: startAt + index * STEP_MS,
    }))
  })

/**
 * Interpolated longitude is not a straight line on the ground: the halves of this step add up to more than its
 * length.
 */
const westwardStep = [
  { latitude: 39.05, longitude: -94.6, locatedAt: startAt },
  { latitude: 39.04967, longitude: -94.62, locatedAt: startAt + STEP_MS },
]

const near = (a: number, b: number) => Math.abs(a - b) < 1e-6

function expectSame(a: Record<string, number>, b: Record<string, number>, within = 1e-6) {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
    expect(Math.abs((a[name] ?? 0) - (b[name] ?? 0))).toBeLessThan(within)
}

const sumOf = (parts: readonly MileageResult[]) =>
  byJurisdiction({ distances: parts.flatMap(({ distances }) => distances), gaps: [] })

test('the jurisdiction distances of a track add up to its length', () =>
  fc.assert(
    fc.asyncProperty(tracks, async (track) =>
      near(total(await calculateMileage(track, chicago)), lengthOf(track)),
    ),
  ))

test('a reversed track has the same sums', () =>
  fc.assert(
    fc.asyncProperty(tracks, async (track) => {
      const backward = track
        .toReversed()
        .map((fix, index) => ({ ...fix, locatedAt: startAt + index * STEP_MS }))
      const [there, back] = [
        await calculateMileage(track, chicago),
        await calculateMileage(backward, chicago),
      ]
      expectSame(byJurisdiction(there), byJurisdiction(back))
    }),
  ))

test('a track cut in two at a fix has the same sums', () =>
  fc.assert(
    fc.asyncProperty(tracks, fc.nat(), async (track, cut) => {
      const at = cut % track.length
      const parts = [track.slice(0, at + 1), track.slice(at)]
      const whole = await calculateMileage(track, chicago)
      expectSame(
        byJurisdiction(whole),
        sumOf(await Promise.all(parts.map((part) => calculateMileage(part, chicago)))),
      )
    }),
  ))

test('a constant odometer ratio scales every sum equally, wherever the odometer is read', () =>
  fc.assert(
    fc.asyncProperty(
      tracks,
      fc.double({ min: 0.9, max: 1.4, noNaN: true }),
      fc.array(fc.boolean(), { minLength: 41, maxLength: 41 }),
      async (track, scale, isRead) => {
        const read = track.map((fix, index) => ({
          ...fix,
          odometerKilometers:
            isRead[index] || index === 0 || index === track.length - 1
              ? 700 + lengthOf(track.slice(0, index + 1)) * scale
              : null,
        }))
        const plain = byJurisdiction(await calculateMileage(track, chicago))
        const expected = Object.fromEntries(Object.entries(plain).map(([name, sum]) => [name, sum * scale]))
        expectSame(byJurisdiction(await calculateMileage(read, chicago)), expected)
      },
    ),
  ))

test('the months of a track add up to its length, and time assigns each step to a month', () =>
  fc.assert(
    fc.asyncProperty(tracks, fc.integer({ min: 0, max: 40 * STEP_MS }), async (track, before) => {
      const shift = at('2024-11-01T05:00:00Z') - before - startAt
      const moved = track.map((fix) => ({ ...fix, locatedAt: fix.locatedAt + shift }))
      const { distances } = await calculateMileage(moved, chicago)
      const steps = Math.floor(before / STEP_MS)
      // Midnight splits one step in two, which can reveal a jurisdiction in the middle of the step.
      expectSame(
        byJurisdiction({ distances, gaps: [] }),
        byJurisdiction(await calculateMileage(track, chicago)),
        lengthOf(track.slice(steps, steps + 2)) + 1e-6,
      )
      expect(near(total({ distances, gaps: [] }), lengthOf(track))).toBe(true)
      const october = distances.filter(({ month }) => month === '2024-10')
      const whole = lengthOf(track.slice(0, steps + 1))
      expect(total({ distances: october, gaps: [] })).toBeGreaterThanOrEqual(whole - 1e-6)
      expect(total({ distances: october, gaps: [] })).toBeLessThanOrEqual(
        lengthOf(track.slice(0, steps + 2)) + 1e-6,
      )
    }),
    { examples: [[westwardStep, STEP_MS / 2]] },
  ))

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpolate, kilometersBetween } from '../../../src/domain/geo/geodesy.ts'
import { simplifyTrack, type TrackPosition } from '../../../src/domain/geo/simplify-track.ts'

const position = (at: number, latitude: number, speed: number | null = 0): TrackPosition => ({
  at,
  longitude: -97.7,
  latitude,
  speed,
})

test('positions on a straight line at a steady speed are left out', () => {
  const track = [0, 1, 2, 3, 4].map((step) => position(step * 1000, 30 + step * 0.0001, 40))
  expect(simplifyTrack(track, 1)).toEqual([track[0], track[4]])
})

test('a vehicle that waits on a straight line keeps the positions at which it stops and drives on', () => {
  const steps = [0, 1, 2, 3, 3, 3, 4, 5]
  const track = steps.map((step, at) => position(at * 1000, 30 + step * 0.0001))
  expect(simplifyTrack(track, 1).map(({ at }) => at)).toEqual([0, 3000, 5000, 7000])
})

test('a change of the speed stays, and so does one between known and unknown', () => {
  const speeds = [50, 50, 80, 80, null, null, null, 80]
  const track = speeds.map((speed, at) => position(at * 1000, 30, speed))
  expect(simplifyTrack(track, 10).map(({ at }) => at / 1000)).toEqual([0, 1, 2, 3, 4, 6, 7])
})

test.each([0, 1, 2])('a track of %i positions stays as it is', (length) => {
  const track = [position(0, 30), position(1000, 31)].slice(0, length)
  expect(simplifyTrack(track, 5)).toEqual(track)
})

test('the meridian of 180 degrees is no detour', () => {
  const track = [179.9998, 179.9999, -180, -179.9999].map((longitude, at) => ({
    ...position(at * 1000, 10),
    longitude,
  }))
  expect(simplifyTrack(track, 1)).toEqual([track[0], track[3]])
})

const positions = fc
  .array(
    fc.record({
      at: fc.integer({ min: 1, max: 100_000 }),
      longitude: fc.double({ min: -97.71, max: -97.7, noNaN: true }),
      latitude: fc.double({ min: 30.2, max: 30.21, noNaN: true }),
      speed: fc.option(fc.integer({ min: 0, max: 120 })),
    }),
    { minLength: 2, maxLength: 80 },
  )
  .map((steps) => {
    let at = 0
    return steps.map((step): TrackPosition => ({ ...step, at: (at += step.at) }))
  })

test('between the kept positions, no position is further away than the tolerance', () => {
  fc.assert(
    fc.property(positions, fc.integer({ min: 1, max: 500 }), (track, tolerance) => {
      const kept = simplifyTrack(track, tolerance)
      for (const stored of track) {
        const index = kept.findLastIndex(({ at }) => at <= stored.at)
        const [before, after] = [kept[index], kept[index + 1] ?? kept[index]]
        if (!before || !after) return false
        const share = after === before ? 0 : (stored.at - before.at) / (after.at - before.at)
        if (kilometersBetween(stored, interpolate(before, after, share)) * 1000 > tolerance) return false
        if (stored.speed === null || before.speed === null || after.speed === null) continue
        const speed = before.speed + (after.speed - before.speed) * share
        if (Math.abs(stored.speed - speed) * 2 > tolerance + 1e-9) return false
      }
      return kept[0] === track[0] && kept.at(-1) === track.at(-1)
    }),
  )
})

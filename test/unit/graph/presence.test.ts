import { expect, test } from 'vitest'
import { type Fix, presenceOf, PresenceEvidence } from '../../../src/subgraphs/telemetry/near/presence.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const METERS_PER_DEGREE = 111_195

/** Position so many meters north of the place. */
const fixAt = (at: number, meters: number): Fix => ({
  at,
  longitude: 10,
  latitude: meters / METERS_PER_DEGREE,
})

const during = (startAt: number, endAt: number) => ({
  place: { longitude: 10, latitude: 0 },
  radiusMeters: 500,
  startAt,
  endAt,
})

const { REPORTED, PASSED, STAYED } = PresenceEvidence

test('a position within the radius is evidence, and the nearest one counts', () => {
  const fixes = [fixAt(0, 3000), fixAt(120_000, 480), fixAt(240_000, -100), fixAt(360_000, 2000)]
  expect(presenceOf(fixes, during(0, 400_000))).toMatchObject({
    evidence: REPORTED,
    distanceMeters: expect.closeTo(100, 0),
    nearestAt: 240_000,
    firstAt: 120_000,
    lastAt: 240_000,
  })
})

test('a position on the border of the period counts, one outside does not', () => {
  expect(presenceOf([fixAt(100, 0)], during(100, 100))).toMatchObject({ evidence: REPORTED, firstAt: 100 })
  expect(presenceOf([fixAt(0, 9000), fixAt(99, 0), fixAt(10 * MINUTE, 9000)], during(100, 200))).toBeNull()
})

test('a vehicle passes between two positions outside of the radius', () => {
  const fixes = [fixAt(0, -1000), fixAt(60 * SECOND, 1000)]
  expect(presenceOf(fixes, during(0, MINUTE))).toMatchObject({
    evidence: PASSED,
    distanceMeters: expect.closeTo(0, 0),
    nearestAt: 30 * SECOND,
    firstAt: expect.closeTo(15 * SECOND, -2),
    lastAt: expect.closeTo(45 * SECOND, -2),
  })
})

test('it passes within the period only', () => {
  const fixes = [fixAt(0, -1000), fixAt(60 * SECOND, 1000)]
  expect(presenceOf(fixes, during(46 * SECOND, MINUTE))).toBeNull()
  expect(presenceOf(fixes, during(40 * SECOND, MINUTE))).toMatchObject({
    nearestAt: 40 * SECOND,
    firstAt: 40 * SECOND,
    lastAt: expect.closeTo(45 * SECOND, -2),
  })
})

test('between positions more than 90 seconds apart the way is unknown', () => {
  expect(presenceOf([fixAt(0, -1000), fixAt(91 * SECOND, 1000)], during(0, 2 * MINUTE))).toBeNull()
})

test('a parked vehicle stays between positions before and after the period', () => {
  const fixes = [fixAt(0, 90), fixAt(600 * MINUTE, 80)]
  expect(presenceOf(fixes, during(100 * MINUTE, 110 * MINUTE))).toEqual({
    evidence: STAYED,
    distanceMeters: expect.closeTo(80, 0),
    nearestAt: 110 * MINUTE,
    nearestLocation: fixes[1],
    firstAt: 100 * MINUTE,
    lastAt: 110 * MINUTE,
  })
})

test('a vehicle that has not reported since stays at its last position', () => {
  expect(presenceOf([fixAt(0, 90)], during(MINUTE, 2 * MINUTE))).toMatchObject({ evidence: STAYED })
})

test('a vehicle that left before its next position did not stay', () => {
  expect(presenceOf([fixAt(0, 90), fixAt(600 * MINUTE, 900)], during(100, 200))).toBeNull()
})

test('a vehicle that parked in the period is near until its end', () => {
  const fixes = [fixAt(0, 4000), fixAt(10 * MINUTE, 50), fixAt(300 * MINUTE, 50)]
  expect(presenceOf(fixes, during(5 * MINUTE, 60 * MINUTE))).toMatchObject({
    evidence: REPORTED,
    firstAt: 10 * MINUTE,
    lastAt: 60 * MINUTE,
  })
})

test('a vehicle without positions was nowhere', () => {
  expect(presenceOf([], during(0, 100))).toBeNull()
})

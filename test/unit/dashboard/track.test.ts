import { describe, expect, test } from 'vitest'
import { nearestPlace } from '../../../dashboard/src/map/nearest-place.ts'
import { chartSeries } from '../../../dashboard/src/vehicle/chart-series.ts'
import {
  endOfGap,
  lastIndexAt,
  momentAt,
  nearestPoint,
  runsOf,
  type TrackPoint,
} from '../../../dashboard/src/vehicle/track.ts'
import { advanced } from '../../../dashboard/src/vehicle/use-replay.ts'

const MINUTE = 60_000

const point = (minutes: number, longitude: number, speed: number | null = 60): TrackPoint => ({
  at: minutes * MINUTE,
  longitude,
  latitude: 40,
  speed,
  heading: 90,
})
/** Drives for two minutes, is silent for ten, and drives on. */
const track = [point(1, -90), point(2, -89), point(3, -88, 110), point(13, -87), point(14, -86)]

describe('the moment of a track', () => {
  test.each([
    [0, null],
    [1, { longitude: -90, speed: 60, isGap: false, index: 0 }],
    [2.5, { longitude: -88.5, speed: 85, isGap: false, index: 1 }],
    [3, { longitude: -88, speed: 110, isGap: false, index: 2 }],
    [8, { longitude: -88, speed: null, isGap: true, index: 2 }],
    [13.5, { longitude: -86.5, isGap: false, index: 3 }],
    [14, { longitude: -86, speed: 60, isGap: false, index: 4 }],
    [17, { longitude: -86, speed: null, isGap: false }],
    [30, { longitude: -86, speed: null, isGap: true }],
  ])('after %d minutes is %j', (minutes, moment) => {
    const found = momentAt(track, minutes * MINUTE)
    if (moment === null) expect(found).toBeNull()
    else expect(found).toMatchObject(moment)
  })

  test('is found among many points as by a look at each', () => {
    const many = Array.from({ length: 500 }, (_, at) => point(at * 3, at))
    for (let at = -5; at < 1510; at += 0.7) {
      const expected = many.findLastIndex((each) => each.at <= at * MINUTE)
      expect(lastIndexAt(many, at * MINUTE)).toBe(expected)
    }
  })
})

test('a gap ends at its next point', () => {
  const ends = [0, 1.5, 3, 8, 13, 14, 20].map((minutes) => endOfGap(track, minutes * MINUTE))
  expect(ends).toEqual([MINUTE, null, 13 * MINUTE, 13 * MINUTE, null, null, null])
})

test('a replay runs by elapsed time, and skips gaps if it should', () => {
  const at = 2 * MINUTE
  expect(advanced({ at, speed: 60, skipsGaps: true }, 500, track)).toBe(at + 30_000)
  expect(advanced({ at, speed: 300, skipsGaps: true }, 1000, track)).toBe(13 * MINUTE)
  expect(advanced({ at, speed: 300, skipsGaps: false }, 1000, track)).toBe(7 * MINUTE)
})

test('a track is drawn in runs of one class of speed, which touch, and gaps', () => {
  expect(runsOf(track)).toEqual([
    {
      speedClass: 2,
      coordinates: [
        [-90, 40],
        [-89, 40],
        [-88, 40],
      ],
    },
    {
      speedClass: 'gap',
      coordinates: [
        [-88, 40],
        [-87, 40],
      ],
    },
    {
      speedClass: 2,
      coordinates: [
        [-87, 40],
        [-86, 40],
      ],
    },
  ])
  expect(runsOf([])).toEqual([])
})

test('the nearest point of a track is found', () => {
  expect(nearestPoint(track, { longitude: -88.4, latitude: 41 })?.at).toBe(3 * MINUTE)
  expect(nearestPoint([], { longitude: 0, latitude: 0 })).toBeNull()
})

test('the chart interrupts the speed in a gap, and draws fuel across it', () => {
  const { seconds, speeds, fuel } = chartSeries(
    track,
    [
      { at: 2.5 * MINUTE, percentage: 80 },
      { at: 8 * MINUTE, percentage: 95 },
    ],
    'km',
  )
  expect(seconds).toEqual([60, 120, 150, 180, 180.001, 480, 780, 840])
  expect(speeds).toEqual([60, 60, 60, 110, null, null, 60, 60])
  expect(fuel).toEqual([null, null, 80, null, null, 95, null, null])
})

test('a position is named after the nearest city, unless none is near', () => {
  const cities = [
    ['Toledo', -83.56, 41.66, 0],
    ['Denver', -104.98, 39.74, 0],
  ] as const
  expect(nearestPlace(cities, { longitude: -83.5, latitude: 41.7 })).toMatchObject({ name: 'Toledo' })
  expect(nearestPlace(cities, { longitude: -83.56, latitude: 41.76 })?.km).toBeCloseTo(11.1, 1)
  expect(nearestPlace(cities, { longitude: -95, latitude: 41 })).toBeNull()
})

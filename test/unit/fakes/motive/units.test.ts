import { expect, test } from 'vitest'
import {
  kilometersOf,
  kphOf,
  litersOf,
  millisecondsOf,
  millisecondsOfHours,
} from '../../../fakes/motive/oracle/conversions.ts'
import {
  secondOf,
  toDistance,
  toEventSpeed,
  toHours,
  toKilometers,
  toPercent,
  toPreciseTime,
  toSeconds,
  toSpeed,
  toTime,
  toVolume,
} from '../../../fakes/motive/formats.ts'

/** The expected numbers are calculated by hand. */

test('distances and speeds are reported in miles or kilometers', () => {
  expect(toDistance(1609.344, false)).toBe(1)
  expect(toDistance(1_000_000, false)).toBe(621.371192)
  expect(toDistance(12_345, true)).toBe(12.345)
  expect(toKilometers(450_123.4)).toBe(450.1234)
  expect(toSpeed(26.8224, false)).toBe(60)
  expect(toSpeed(25, true)).toBe(90)
  expect(toEventSpeed(25)).toBe(90)
})

test('fuel is reported in gallons or liters, engine time in hours, tank levels in percent', () => {
  expect(toVolume(37.85411784, false)).toBe(10)
  expect(toVolume(40, true)).toBe(40)
  expect(toHours(5_400_000)).toBe(1.5)
  expect(toPercent(0.4567)).toBe(45.67)
})

test('times have whole seconds, and times of users have microseconds', () => {
  const at = Date.parse('2026-06-15T18:00:01.987Z')
  expect(toTime(at)).toBe('2026-06-15T18:00:01Z')
  expect(toPreciseTime(at)).toBe('2026-06-15T18:00:01.987000Z')
  expect(secondOf(at)).toBe(Date.parse('2026-06-15T18:00:01.000Z'))
  expect(toSeconds(39_600_999)).toBe(39_600)
})

test('reported values are converted back to kilometers, km/h, liters and milliseconds', () => {
  expect(kilometersOf(300, false)).toBe(482.803)
  expect(kilometersOf(300, true)).toBe(300)
  expect(kphOf(65, false)).toBe(104.61)
  expect(kphOf(65, true)).toBe(65)
  expect(litersOf(10, false)).toBeCloseTo(37.85411784, 9)
  expect(litersOf(10, true)).toBe(10)
  expect(millisecondsOfHours(1234.5)).toBe(4_444_200_000)
  expect(millisecondsOf(43_200)).toBe(43_200_000)
})

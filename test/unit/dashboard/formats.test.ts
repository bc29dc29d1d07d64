import { expect, test } from 'vitest'
import { formatDistance, formatHeading, formatSpeed } from '../../../dashboard/src/shell/measure-format.ts'
import {
  formatAge,
  formatDateTime,
  formatDay,
  formatDuration,
  formatTime,
} from '../../../dashboard/src/shell/time-format.ts'

const AT = '2026-03-08T07:30:05Z'

test('times are shown in a zone, also on a day with 23 hours', () => {
  expect([formatTime(AT, 'UTC'), formatTime(AT, 'America/New_York')]).toEqual(['07:30:05', '03:30:05'])
  expect(formatDateTime(AT, 'America/New_York')).toBe('8 Mar 2026, 03:30')
  expect(formatDay('2026-03-08T03:00:00Z', 'America/New_York')).toBe('Sat, 7 Mar 2026')
})

test.each([
  [-5_000, '0 s ago'],
  [59_999, '59 s ago'],
  [60_000, '1 min ago'],
  [3_600_000, '1 h ago'],
  [172_799_999, '47 h ago'],
  [172_800_000, '2 days ago'],
])('an age of %i ms reads %s', (ms, text) => {
  const now = Date.parse(AT)
  expect(formatAge(new Date(now - ms).toISOString(), now)).toBe(text)
})

test.each([
  [45_000, '45 s'],
  [720_000, '12 min'],
  [3_599_000, '1 h 00 min'],
  [11_100_000, '3 h 05 min'],
])('a duration of %i ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('measures are shown in the chosen units', () => {
  expect([formatDistance(12.44, 'km'), formatDistance(1609.344, 'mi')]).toEqual(['12.4 km', '1,000 mi'])
  expect([formatSpeed(88.4, 'km'), formatSpeed(88.5, 'mi')]).toEqual(['88 km/h', '55 mph'])
  expect([0, 44, 180, 350].map(formatHeading)).toEqual(['north', 'north-east', 'south', 'north'])
})

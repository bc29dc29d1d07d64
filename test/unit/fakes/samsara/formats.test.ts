import { expect, test } from 'vitest'
import { toHeading, toKilometersPerHour, toMilesPerHour, toTime } from '../../../fakes/samsara/formats.ts'
import { dateAt, dayOf } from '../../../fakes/samsara/zone.ts'

const HOUR = 3_600_000

test('44.704 m/s is 100 mph, and 10 m/s is 36 km/h', () => {
  expect([toMilesPerHour(44.704), toKilometersPerHour(10)]).toEqual([100, 36])
})

test('a heading that rounds to 360 is 0', () => {
  expect([359.6, 359.4, 0].map(toHeading)).toEqual([0, 359, 0])
})

test('a time has milliseconds only if they are not zero, and an offset keeps the instant', () => {
  const at = Date.parse('2026-06-15T18:00:00.000Z')
  expect(toTime(at, { times: 'utc' })).toBe('2026-06-15T18:00:00Z')
  expect(toTime(at + 7, { times: 'utc' })).toBe('2026-06-15T18:00:00.007Z')
  expect(toTime(at, { times: 'offset' })).toBe('2026-06-15T14:00:00-04:00')
  expect(Date.parse(toTime(at + 7, { times: 'offset' }))).toBe(at + 7)
})

test.each([
  ['2026-03-08', 23],
  ['2026-06-15', 24],
  ['2026-11-01', 25],
])('%s has %i hours in Chicago', (date, hours) => {
  const { from, to } = dayOf('America/Chicago', date)
  expect((to - from) / HOUR).toBe(hours)
  expect([dateAt('America/Chicago', from), dateAt('America/Chicago', to - 1)]).toEqual([date, date])
})

import { describe, expect, test } from 'vitest'
import { monthCalendarOf } from '../../../src/sync/ifta/mileage/calendar-months.ts'
import { isTimeZone } from '../../../src/domain/time.ts'
import { calculateMileage } from '../../../src/sync/ifta/mileage/mileage-calculator.ts'
import { at, drive, place } from '../../support/ifta/tracks.ts'

describe('a month', () => {
  test.each([
    ['UTC', '2024-02', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['America/Chicago', '2024-03', '2024-03-01T06:00:00Z', '2024-04-01T05:00:00Z'],
    ['America/Chicago', '2024-11', '2024-11-01T05:00:00Z', '2024-12-01T06:00:00Z'],
    ['America/St_Johns', '2024-12', '2024-12-01T03:30:00Z', '2025-01-01T03:30:00Z'],
    ['America/Phoenix', '2024-07', '2024-07-01T07:00:00Z', '2024-08-01T07:00:00Z'],
    ['Pacific/Kiritimati', '2024-01', '2023-12-31T10:00:00Z', '2024-01-31T10:00:00Z'],
    // On 1 October the clocks skipped from midnight to one o'clock.
    ['America/Asuncion', '2017-10', '2017-10-01T04:00:00Z', '2017-11-01T03:00:00Z'],
    // Samoa skipped 30 December.
    ['Pacific/Apia', '2011-12', '2011-12-01T10:00:00Z', '2011-12-31T10:00:00Z'],
  ])('of %s starts at local midnight of its first day: %s', (timeZone, name, startsAt, endsAt) => {
    const calendar = monthCalendarOf(timeZone)
    const month = { name, startsAt: at(startsAt), endsAt: at(endsAt) }
    expect(calendar.monthNamed(name)).toEqual(month)
    expect(calendar.monthAt(month.startsAt)).toEqual(month)
    expect(calendar.monthAt(month.endsAt - 1)).toEqual(month)
    expect(calendar.monthAt(month.endsAt).startsAt).toBe(month.endsAt)
    expect(calendar.monthAt(month.startsAt - 1).endsAt).toBe(month.startsAt)
  })

  test('splits a drive by time at midnight in the time zone of the fleet', async () => {
    const midnight = at('2024-04-01T05:00:00Z')
    const route = [place(39.05, -96), place(39.05, -95)]
    const run = (startAt: number, timeZone: string) =>
      calculateMileage(drive(route, { startAt, kph: 100, everySeconds: 40 }), { timeZone })
    const whole = await run(midnight, 'America/Chicago')
    const halves = await run(midnight - 15 * 60_000 - 15_000, 'America/Chicago')
    expect(whole.distances.map(({ month }) => month)).toEqual(['2024-04'])
    const [march, april] = halves.distances
    expect(march).toMatchObject({ month: '2024-03', jurisdiction: 'KS' })
    expect(april).toMatchObject({ month: '2024-04', jurisdiction: 'KS' })
    expect(march!.kilometers).toBeCloseTo((100 * 15.25) / 60, 0)
    expect(march!.kilometers + april!.kilometers).toBeCloseTo(whole.distances[0]!.kilometers, 6)
    const utc = await run(midnight - 15 * 60_000, 'UTC')
    expect(utc.distances.map(({ month }) => month)).toEqual(['2024-04'])
  })

  test('contains the distance of a gap or stop that ends in it', async () => {
    const before = { ...place(39.05, -96), locatedAt: at('2024-03-20T00:00:00Z'), odometerKilometers: 10 }
    const after = { ...place(39.05, -95), locatedAt: at('2024-06-02T00:00:00Z'), odometerKilometers: 110 }
    const nearby = {
      ...place(39.05, -95.001),
      locatedAt: at('2024-07-02T00:00:00Z'),
      odometerKilometers: 110.1,
    }
    const { distances, gaps } = await calculateMileage([before, after, nearby], {
      timeZone: 'America/Chicago',
    })
    expect(distances).toEqual([
      { month: '2024-06', jurisdiction: null, kilometers: 100 },
      { month: '2024-07', jurisdiction: 'KS', kilometers: expect.closeTo(0.1, 2) },
    ])
    expect(gaps).toHaveLength(1)
  })
})

test('a time zone is valid if the platform supports it', () => {
  expect(['UTC', 'America/Toronto', 'Nowhere/City', ''].map(isTimeZone)).toEqual([true, true, false, false])
})

import { describe, expect, test } from 'vitest'
import { calendarOf, dateAfter } from '../../../../src/domain/calendar.ts'
import { toIso } from '../../../../src/domain/time.ts'
import { zoneWithDays } from '../../../../src/providers/traccar/time-zone.ts'

const MINUTE_MS = 60_000

/** Rows of a device that sends a position all day, for days of a time zone. */
function daysOf(timeZone: string, first: string, count: number, deviceId = 1): object[] {
  const { startOf } = calendarOf(timeZone)
  return Array.from({ length: count }, (_, at) => {
    const date = dateAfter(first, at)
    const [start, end] = [startOf(date), startOf(dateAfter(date))]
    return { deviceId, startTime: toIso(start + MINUTE_MS), endTime: toIso(end - MINUTE_MS) }
  })
}

const offsetAt = (timeZone: string, at: string): string | undefined =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(Date.parse(at))
    .find(({ type }) => type === 'timeZoneName')?.value

describe('the days of a summary', () => {
  test.each([
    ['America/Chicago', '2026-01-10', '2026-01-12T12:00:00Z'],
    ['Asia/Kolkata', '2026-01-10', '2026-01-12T12:00:00Z'],
    ['Asia/Kathmandu', '2026-01-10', '2026-01-12T12:00:00Z'],
    ['America/St_Johns', '2026-06-10', '2026-06-12T12:00:00Z'],
    ['Asia/Tokyo', '2026-06-10', '2026-06-12T12:00:00Z'],
  ])('show the offset of %s', (timeZone, first, at) => {
    const found = zoneWithDays(daysOf(timeZone, first, 5), 'UTC')
    expect(offsetAt(found, at)).toBe(offsetAt(timeZone, at))
  })

  test.each(['America/New_York', 'Europe/Berlin', 'Australia/Sydney'])(
    'show the clock changes of %s',
    (timeZone) => {
      const found = zoneWithDays(daysOf(timeZone, '2026-01-01', 330), 'UTC')
      for (const at of ['2026-01-15T12:00:00Z', '2026-03-25T12:00:00Z', '2026-07-15T12:00:00Z'])
        expect([at, offsetAt(found, at)]).toEqual([at, offsetAt(timeZone, at)])
    },
  )

  test('confirm the assumed zone', () => {
    for (const zone of ['UTC', 'Asia/Tokyo'])
      expect(zoneWithDays(daysOf(zone, '2026-01-10', 3), zone)).toBe(zone)
  })

  test('may end with a position at midnight, which is also the first one of the next day', () => {
    const row = (startTime: string, endTime: string) => ({ deviceId: 1, startTime, endTime })
    const midnight = '2026-01-11T00:00:00Z'
    const rows = [row('2026-01-10T00:00:00Z', midnight), row(midnight, '2026-01-12T00:00:00Z')]
    expect(zoneWithDays(rows, 'UTC')).toBe('UTC')
    expect(zoneWithDays([row(midnight, midnight), row(midnight, '2026-01-11T23:00:00Z')], 'UTC')).toBe('UTC')
  })

  test('leave the assumed zone if no zone has them, or if the others were tried', () => {
    const long = { deviceId: 1, startTime: '2026-01-10T00:00:00Z', endTime: '2026-01-12T00:00:00Z' }
    expect(zoneWithDays([long], 'UTC')).toBe('UTC')
    const rows = daysOf('America/Chicago', '2026-01-10', 3)
    const first = zoneWithDays(rows, 'UTC')
    expect(zoneWithDays(rows, 'UTC', [first])).not.toBe(first)
  })
})

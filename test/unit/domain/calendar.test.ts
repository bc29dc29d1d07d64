import { expect, test } from 'vitest'
import { calendarOf, dateAfter } from '../../../src/domain/calendar.ts'

test.each([
  ['America/Chicago', '2026-03-08', '2026-03-08T06:00:00.000Z', 23],
  ['America/Chicago', '2026-11-01', '2026-11-01T05:00:00.000Z', 25],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
  ['Asia/Kolkata', '2026-06-15', '2026-06-14T18:30:00.000Z', 24],
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', 24],
])('in %s the day %s starts at %s and has %i hours', (timeZone, date, start, hours) => {
  const { dateAt, startOf } = calendarOf(timeZone)
  const end = startOf(dateAfter(date))
  expect(new Date(startOf(date)).toISOString()).toBe(start)
  expect((end - startOf(date)) / 3_600_000).toBe(hours)
  expect([startOf(date) - 1, startOf(date), end - 1, end].map(dateAt)).toEqual([
    dateAfter(date, -1),
    date,
    date,
    dateAfter(date),
  ])
})

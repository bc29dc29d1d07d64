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

test.each([
  ['America/Chicago', '2026-06-01T14:05:09.250', '2026-06-01T19:05:09.250Z'],
  ['America/Chicago', '2026-11-30T14:05:00', '2026-11-30T20:05:00.000Z'],
  ['America/Chicago', '2026-03-08T01:59:59', '2026-03-08T07:59:59.000Z'],
  ['America/Chicago', '2026-03-08T03:00:00', '2026-03-08T08:00:00.000Z'],
  ['America/Chicago', '2026-11-01T00:59:59', '2026-11-01T05:59:59.000Z'],
  ['America/Chicago', '2026-11-01T02:00:00', '2026-11-01T08:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-01T00:00:00', '2025-12-31T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01T00:00:00', '2025-12-31T10:00:00.000Z'],
  ['UTC', '1969-12-31T23:59:59', '1969-12-31T23:59:59.000Z'],
])('clocks in %s show %s at %s', (timeZone, shown, instant) => {
  expect(new Date(calendarOf(timeZone).instantAt(Date.parse(`${shown}Z`))).toISOString()).toBe(instant)
})

test.each([
  ['the first time, if they show it twice', '2026-11-01T01:30:00', '2026-11-01T06:30:00.000Z'],
  ['by the offset before the change, if they skip it', '2026-03-08T02:30:00', '2026-03-08T08:30:00.000Z'],
])('clocks in America/Chicago show a time %s', (_, shown, instant) => {
  expect(new Date(calendarOf('America/Chicago').instantAt(Date.parse(`${shown}Z`))).toISOString()).toBe(
    instant,
  )
})

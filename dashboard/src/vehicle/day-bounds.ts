import { calendarOf } from '../../../src/domain/calendar.ts'
import { isDate } from '../../../src/domain/time.ts'

/** First moment of a day and of the next one, in milliseconds. */
export interface DayBounds {
  readonly startAt: number
  readonly endAt: number
}

/** Returns the day of an instant in a time zone, such as 2026-11-30. */
export const dayOf = (at: number, zone: string): string => calendarOf(zone).dateAt(at)

/** Returns the bounds of a day in a time zone. A day on which clocks change has 23 or 25 hours. */
export function dayBounds(day: string, zone: string): DayBounds {
  const { startOf } = calendarOf(zone)
  return { startAt: startOf(day), endAt: startOf(addDays(day, 1)) }
}

/** Whether a search parameter is a day of the calendar. */
export const isDay = (value: unknown): value is string => typeof value === 'string' && isDate(value)

/** Returns the day that is so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const DAY_MS = 86_400_000

/** Returns the instant of a time of day, such as 14:05:00; null if the text is none. */
export function instantOf(time: string, { startAt, endAt }: DayBounds): number | null {
  const parts = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(time)
  if (!parts) return null
  const [, hours, minutes, seconds = 0] = parts
  const at = startAt + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return at < endAt ? at : null
}

/** Returns the time since the start of the day, such as 14:05:00. On a day with a clock change it is no clock time. */
export function timeOfDay(at: number, { startAt }: DayBounds): string {
  const seconds = Math.floor(Math.max(0, at - startAt) / 1000)
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

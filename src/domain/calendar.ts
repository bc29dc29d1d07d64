import { firstInstantAround, type Instant, toIso } from './time.ts'

/** Dates (YYYY-MM-DD) of an IANA time zone. Changes to and from daylight saving time are taken into account. */
export interface Calendar {
  dateAt(instant: Instant): string
  /** First instant of a date. */
  startOf(date: string): Instant
}

const calendars = new Map<string, Calendar>()

export function calendarOf(timeZone: string): Calendar {
  const calendar = calendars.get(timeZone) ?? createCalendar(timeZone)
  calendars.set(timeZone, calendar)
  return calendar
}

function createCalendar(timeZone: string): Calendar {
  const dateAt = datesIn(timeZone)
  const starts = new Map<string, Instant>()
  return {
    dateAt,
    startOf(date) {
      const start =
        starts.get(date) ?? firstInstantAround(Date.parse(`${date}T00:00Z`), (at) => dateAt(at) >= date)
      starts.set(date, start)
      return start
    },
  }
}

/** Returns a function that gives the date of an instant in a time zone. */
export function datesIn(timeZone: string): (instant: Instant) => string {
  // The Swedish date format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return (instant) => format.format(instant)
}

const DAY_MS = 86_400_000

/** Date a number of days after another, or before it if the number is negative. */
export const dateAfter = (date: string, days = 1): string =>
  toIso(Date.parse(`${date}T00:00Z`) + days * DAY_MS).slice(0, 10)

import { firstInstant, type Instant } from '../../domain/time.ts'

/** The days of a time zone by its IANA name, whatever its clocks do. */
export interface Calendar {
  /** YYYY-MM-DD. */
  dateOf(at: Instant): string
  /** When the day of a moment began. */
  startOf(at: Instant): Instant
  /** When the day after it begins. */
  endOf(at: Instant): Instant
}

const DAY_MS = 86_400_000
/** No day is longer than this. */
const MAX_DAY_MS = 2 * DAY_MS

const calendars = new Map<string, Calendar>()

export function calendarOf(timeZone: string): Calendar {
  const known = calendars.get(timeZone) ?? calendarIn(timeZone)
  calendars.set(timeZone, known)
  return known
}

function calendarIn(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const dateOf = (at: Instant) => format.format(at)
  return {
    dateOf,
    startOf: (at) => firstInstant(at - MAX_DAY_MS, at, (other) => dateOf(other) >= dateOf(at)),
    endOf: (at) => firstInstant(at, at + MAX_DAY_MS, (other) => dateOf(other) > dateOf(at)),
  }
}

import { firstInstant, type Instant } from '../../domain/time.ts'

/** Days of an IANA time zone. Changes to and from daylight saving time are taken into account. */
export interface Calendar {
  /** YYYY-MM-DD. */
  dateOf(at: Instant): string
  /** Start of the day that contains the moment. */
  startOf(at: Instant): Instant
  /** Start of the next day. */
  endOf(at: Instant): Instant
}

const DAY_MS = 86_400_000
/** Upper bound of the length of a day. */
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

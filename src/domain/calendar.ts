import { firstInstantAround, type Instant, isTimeZone, toIso } from './time.ts'

/** Calendar of an IANA time zone, with its daylight saving time. Dates are texts such as 2026-01-31. */
export interface Calendar {
  dateAt(instant: Instant): string
  /** First instant of a date. */
  startOf(date: string): Instant
  /**
   * Returns the instant at which clocks show a time. `shown` is the instant at which clocks in UTC show it. If clocks show
   * the time twice, it is the first instant. If they skip it, the offset before the change applies.
   */
  instantAt(shown: Instant): Instant
  timeOfWeekAt(instant: Instant): TimeOfWeek
}

/** Time of a week in a time zone. */
export interface TimeOfWeek {
  readonly day: DayOfWeek
  /** Minutes since midnight on the clock. */
  readonly minute: number
}

export enum DayOfWeek {
  MONDAY = 'monday',
  TUESDAY = 'tuesday',
  WEDNESDAY = 'wednesday',
  THURSDAY = 'thursday',
  FRIDAY = 'friday',
  SATURDAY = 'saturday',
  SUNDAY = 'sunday',
}

const calendars = new Map<string, Calendar>()

/** Returns the calendar of a time zone. There is one calendar per zone; it caches the starts of dates. */
export function calendarOf(timeZone: string): Calendar {
  const calendar = calendars.get(timeZone) ?? createCalendar(timeZone)
  calendars.set(timeZone, calendar)
  return calendar
}

/** Returns the calendar of a time zone; null if there is no such zone. */
export const findCalendar = (timeZone: string): Calendar | null =>
  calendars.has(timeZone) || isTimeZone(timeZone) ? calendarOf(timeZone) : null

function createCalendar(timeZone: string): Calendar {
  const dateAt = datesIn(timeZone)
  const offsetAt = offsetsIn(timeZone)
  const starts = new Map<string, Instant>()
  return {
    dateAt,
    timeOfWeekAt: timesOfWeekIn(timeZone),
    startOf(date) {
      const start =
        starts.get(date) ?? firstInstantAround(Date.parse(`${date}T00:00Z`), (at) => dateAt(at) >= date)
      starts.set(date, start)
      return start
    },
    instantAt(shown) {
      const before = offsetAt(shown - DAY_MS)
      const after = offsetAt(shown + DAY_MS)
      if (offsetAt(shown - before) !== before && offsetAt(shown - after) === after) return shown - after
      return shown - before
    },
  }
}

/** Returns a function that gives the date of an instant in a time zone. */
export function datesIn(timeZone: string): (instant: Instant) => string {
  // Sweden writes dates in the form of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return (instant) => format.format(instant)
}

/** Returns a function that gives by how much clocks in a time zone are ahead of UTC, in milliseconds. */
function offsetsIn(timeZone: string): (instant: Instant) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (instant) => {
    const second = Math.floor(instant / 1000) * 1000
    return Date.parse(`${format.format(second).replace(' ', 'T')}Z`) - second
  }
}

function timesOfWeekIn(timeZone: string): (instant: Instant) => TimeOfWeek {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    const day = (parts.get('weekday') ?? '').toLowerCase() as DayOfWeek
    return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
  }
}

const DAY_MS = 86_400_000

/** Returns the date a number of days after a date; a negative number gives an earlier date. */
export const dateAfter = (date: string, days = 1): string =>
  toIso(Date.parse(`${date}T00:00Z`) + days * DAY_MS).slice(0, 10)

/** Moment, in memory and in the database: whole milliseconds since 1970-01-01T00:00Z. */
export type Instant = number

/** Clock of the service; all code reads the time from it, so that tests can set it. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => Date.now() }

/** What every interface replies to an invalid time, by the form that it expects. */
export const timeForms = {
  dateTime: 'Give a date-time with a zone, such as 2026-01-31T12:00:00Z.',
  date: 'Give a day that exists, such as 2026-01-31.',
  month: 'Give a month, such as 2026-01.',
} as const

const DAY_MS = 86_400_000
const paddedNumbers = (count: number, width: number) =>
  Array.from({ length: count }, (_, value) => String(value).padStart(width, '0'))
const minutesOfDay = paddedNumbers(24, 2).flatMap((hour) =>
  paddedNumbers(60, 2).map((minute) => `${hour}:${minute}:`),
)
const secondsOfMinute = paddedNumbers(60, 2)
const millisecondsOfSecond = paddedNumbers(1000, 3)
/** A power of two, so that a bit mask gives the slot of a day. */
const CACHED_DAYS = 4096
const cachedDays: number[] = []
const cachedDates: string[] = []

/**
 * Formats an instant like `Date.toISOString`: ISO 8601 in UTC with milliseconds. For speed, it joins texts
 * from arrays: responses contain many instants.
 */
export function toIso(instant: Instant): string {
  const day = Math.floor(instant / DAY_MS)
  const msOfDay = instant - day * DAY_MS
  const minute = Math.floor(msOfDay / 60_000)
  const msOfMinute = msOfDay - minute * 60_000
  const second = Math.floor(msOfMinute / 1000)
  return `${dateWithT(day)}${minutesOfDay[minute]}${secondsOfMinute[second]}.${millisecondsOfSecond[msOfMinute - second * 1000]}Z`
}

/** Returns the ISO date of a day, counted since 1970, with a trailing T. */
function dateWithT(day: number): string {
  const slot = day & (CACHED_DAYS - 1)
  if (cachedDays[slot] !== day) {
    const iso = new Date(day * DAY_MS).toISOString()
    cachedDays[slot] = day
    cachedDates[slot] = iso.slice(0, iso.indexOf('T') + 1)
  }
  return cachedDates[slot] as string
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Parses an RFC 3339 date-time with a zone. Null for any other text, and for a day that does not exist. */
export function toInstant(text: string): Instant | null {
  const parts = DATE_TIME.exec(text)
  if (!parts) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  // `Date` shifts a day that does not exist into the next month.
  const shifted = new Date(Date.UTC(year, month - 1, day))
  if (year < 1 || shifted.getUTCMonth() !== month - 1 || hour > 23 || minute > 59 || second > 59) return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}

/** Whether a text is an existing day, YYYY-MM-DD. */
export const isDate = (text: string): boolean => toInstant(`${text}T00:00:00Z`) !== null

/** Whether a text is a month, YYYY-MM. */
export const isMonth = (text: string): boolean => isDate(`${text}-01`)

/**
 * Finds by binary search the first instant after `before` at which `holds` is true. `holds` must be true from
 * that instant on, at the latest from `after`.
 */
export function firstInstant(before: Instant, after: Instant, holds: (instant: Instant) => boolean): Instant {
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (holds(middle)) after = middle
    else before = middle
  }
  return after
}

/** Upper limit for the offset of any time zone from UTC, in either direction. */
const MAX_UTC_OFFSET_MS = 18 * 3_600_000

/**
 * Finds the first instant at which `holds` is true. `holds` depends on local time: for example, whether a day
 * has begun. `inUtc` is the result for UTC; that of another zone differs by at most `MAX_UTC_OFFSET_MS`.
 */
export const firstInstantAround = (inUtc: Instant, holds: (instant: Instant) => boolean): Instant =>
  firstInstant(inUtc - MAX_UTC_OFFSET_MS, inUtc + MAX_UTC_OFFSET_MS, holds)

/** Whether `Intl` knows a time zone of this name, such as America/Chicago. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

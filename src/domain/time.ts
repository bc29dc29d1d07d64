/** A moment as whole milliseconds since 1970-01-01T00:00Z: what the tables store and the code compares. */
export type Instant = number

/** The clock of the service. Tests move it; nothing else reads the time. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => Date.now() }

const DAY_MS = 86_400_000
const padded = (count: number, width: number) =>
  Array.from({ length: count }, (_, value) => String(value).padStart(width, '0'))
const minutesOfDay = padded(24, 2).flatMap((hour) => padded(60, 2).map((minute) => `${hour}:${minute}:`))
const secondsOfMinute = padded(60, 2)
const millisecondsOfSecond = padded(1000, 3)
const DAYS_KNOWN = 4096
const knownDays: number[] = []
const knownDates: string[] = []

/** ISO 8601 in UTC with milliseconds, like `Date.toISOString`, from tables: every answer is full of them. */
export function toIso(instant: Instant): string {
  const day = Math.floor(instant / DAY_MS)
  const rest = instant - day * DAY_MS
  const minute = Math.floor(rest / 60_000)
  const inMinute = rest - minute * 60_000
  const second = Math.floor(inMinute / 1000)
  return `${dateOf(day)}${minutesOfDay[minute]}${secondsOfMinute[second]}.${millisecondsOfSecond[inMinute - second * 1000]}Z`
}

/** The date of a day since 1970 with its T. */
function dateOf(day: number): string {
  const slot = day & (DAYS_KNOWN - 1)
  if (knownDays[slot] !== day) {
    const iso = new Date(day * DAY_MS).toISOString()
    knownDays[slot] = day
    knownDates[slot] = iso.slice(0, iso.indexOf('T') + 1)
  }
  return knownDates[slot] as string
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** The instant of an RFC 3339 date-time, or null where the text is none: a zone is required, a day must exist. */
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
  const real = new Date(Date.UTC(year, month - 1, day))
  if (year < 1 || real.getUTCMonth() !== month - 1 || hour > 23 || minute > 59 || second > 59) return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}

/** Whether a text is a day that exists, YYYY-MM-DD. */
export const isDate = (text: string): boolean => toInstant(`${text}T00:00:00Z`) !== null

/** Whether a text is a month, YYYY-MM. */
export const isMonth = (text: string): boolean => isDate(`${text}-01`)

/** The first instant after one, and up to another, at which something holds that holds from then on. */
export function firstInstant(before: Instant, after: Instant, holds: (instant: Instant) => boolean): Instant {
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (holds(middle)) after = middle
    else before = middle
  }
  return after
}

/** No zone is farther than this from UTC. */
const ZONE_MS = 18 * 3_600_000

/** When something begins to hold in a zone, given when it does in UTC. */
export const firstInstantAround = (inUtc: Instant, holds: (instant: Instant) => boolean): Instant =>
  firstInstant(inUtc - ZONE_MS, inUtc + ZONE_MS, holds)

/** Whether `Intl` knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

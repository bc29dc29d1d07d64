import type { Ms } from '../world/truth.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = 'numeric'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
  formats.set(timeZone, format)
  return format
}

/** Returns local time as if it were UTC. */
function wallTime(at: Ms, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** YYYY-MM-DD */
export const localDate = (at: Ms, timeZone: string): string =>
  new Date(wallTime(at, timeZone)).toISOString().slice(0, 10)

const starts = new Map<string, Ms>()

/** Returns the start of a date in a time zone. */
export function startOfDate(date: string, timeZone: string): Ms {
  const key = `${date} ${timeZone}`
  const known = starts.get(key)
  if (known !== undefined) return known
  const wanted = Date.parse(`${date}T00:00:00Z`)
  const guess = wanted - (wallTime(wanted, timeZone) - wanted)
  const start = guess + (wanted - wallTime(guess, timeZone))
  starts.set(key, start)
  return start
}

export function dateAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY).toISOString().slice(0, 10)
}

/** Returns the months that contain the period, as YYYY-MM. */
export function monthsBetween(from: Ms, to: Ms, timeZone: string): string[] {
  const [first, last] = [
    localDate(from, timeZone).slice(0, 7),
    localDate(Math.max(from, to - 1), timeZone).slice(0, 7),
  ]
  const months = [first]
  while ((months.at(-1) as string) < last) months.push(monthAfter(months.at(-1) as string))
  return months
}

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}

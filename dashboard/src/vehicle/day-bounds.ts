/** First moment of a day and of the next one, in milliseconds. */
export interface DayBounds {
  readonly startAt: number
  readonly endAt: number
}

/** Returns the day of an instant in a time zone, such as 2026-11-30. */
export const dayOf = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at)

/** Returns the bounds of a day in a time zone. A day on which clocks change has 23 or 25 hours. */
export const dayBounds = (day: string, zone: string): DayBounds => ({
  startAt: startOf(day, zone),
  endAt: startOf(addDays(day, 1), zone),
})

/** Whether a text is a day of the calendar. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^20\d{2}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

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

/**
 * The offset of the zone is that at the result, so it is looked up twice. Where clocks skip midnight, the second look-up
 * may lead to the day before: the first is the start then.
 */
function startOf(day: string, zone: string): number {
  const utc = Date.parse(day)
  const first = utc - offsetAt(utc, zone)
  const second = utc - offsetAt(first, zone)
  return dayOf(second, zone) < day ? first : second
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(at / 1000) * 1000
}

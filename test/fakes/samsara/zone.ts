import { MILLISECONDS_PER_DAY } from './formats.ts'

/** A day of a time zone. */
export interface Day {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly from: number
  readonly to: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const options = { timeZone: zone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', options)
  formats.set(zone, format)
  return format
}

/** Returns local time as if it were UTC. */
const wallTime = (zone: string, at: number): number =>
  Date.parse(`${formatOf(zone).format(at).replace(' ', 'T')}Z`)

export const dateAt = (zone: string, at: number): string =>
  new Date(wallTime(zone, at)).toISOString().slice(0, 10)

const starts = new Map<string, number>()

/** Returns the start of a day. Assumes that the zone does not change its clocks at midnight. */
export function startOf(zone: string, date: string): number {
  const key = `${zone} ${date}`
  const known = starts.get(key)
  if (known !== undefined) return known
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const noon = midnight + MILLISECONDS_PER_DAY / 2
  let start = midnight - (wallTime(zone, noon) - noon)
  start -= wallTime(zone, start) - midnight
  starts.set(key, start)
  return start
}

export const dateAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + MILLISECONDS_PER_DAY).toISOString().slice(0, 10)

export const dayOf = (zone: string, date: string): Day => ({
  date,
  from: startOf(zone, date),
  to: startOf(zone, dateAfter(date)),
})

/** Returns the days that begin in a period. */
export function daysIn(zone: string, from: number, to: number): Day[] {
  const days: Day[] = []
  for (let day = dayOf(zone, dateAt(zone, from)); day.from < to; day = dayOf(zone, dateAfter(day.date)))
    if (day.from >= from) days.push(day)
  return days
}

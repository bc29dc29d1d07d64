import type { Fleet } from './fleet.ts'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { terminalAt } from './road-network/terminals.ts'

/** A day or a month in a time zone. Its end is exclusive. */
export interface CalendarSpan {
  /** For example `2025-03-09` or `2025-03`. */
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

/** Returns the time zone in which the fleet's days and months begin: that of its first terminal. */
export function timeZoneOf(fleet: Fleet): string {
  return terminalAt(fleet, 0).corridor.timeZone
}

/** Returns the day that contains a moment. */
export function dayAt(timeZone: string, timeMs: number): CalendarSpan {
  const number = Math.floor((timeMs + offsetAt(timeZone, timeMs)) / DAY_MS)
  const name = new Date(number * DAY_MS).toISOString().slice(0, 10)
  return { name, startMs: midnight(timeZone, number), endMs: midnight(timeZone, number + 1) }
}

/** Returns the days that overlap a period, in order. */
export function* daysIn(timeZone: string, sinceMs: number, untilMs: number): Generator<CalendarSpan> {
  for (let day = dayAt(timeZone, sinceMs); day.startMs < untilMs; day = dayAt(timeZone, day.endMs)) yield day
}

/** Returns the months from `from` to `to`, such as `2025-03`, in order. Both are included. */
export function* monthsIn(timeZone: string, from: string, to: string): Generator<CalendarSpan> {
  for (let name = from; name <= to; name = monthAfter(name)) {
    const [startMs, endMs] = [name, monthAfter(name)].map((month) =>
      midnight(timeZone, Date.parse(`${month}-01T00:00:00Z`) / DAY_MS),
    ) as [number, number]
    yield { name, startMs, endMs }
  }
}

function monthAfter(name: string): string {
  const [year, month] = name.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7)
}

const midnights = new Map<string, Map<number, number>>()

/**
 * Returns the start of a day, counted since 1970. In the time zones of the roads, clocks never change at midnight,
 * so the offset at midnight is unique.
 */
function midnight(timeZone: string, day: number): number {
  const cached = midnights.get(timeZone) ?? new Map<number, number>()
  midnights.set(timeZone, cached)
  let startMs = cached.get(day)
  if (startMs === undefined) {
    const guess = computeOffset(timeZone, day * DAY_MS)
    startMs = day * DAY_MS - computeOffset(timeZone, day * DAY_MS - guess)
    cached.set(day, startMs)
  }
  return startMs
}

/** Returns the zone's offset from UTC. It is constant within an hour, so it is cached per hour. */
function offsetAt(timeZone: string, timeMs: number): number {
  const cached = offsets.get(timeZone) ?? new Map<number, number>()
  offsets.set(timeZone, cached)
  const hour = Math.floor(timeMs / HOUR_MS)
  let offset = cached.get(hour)
  if (offset === undefined) cached.set(hour, (offset = computeOffset(timeZone, hour * HOUR_MS)))
  return offset
}

const offsets = new Map<string, Map<number, number>>()
const formats = new Map<string, Intl.DateTimeFormat>()

function computeOffset(timeZone: string, timeMs: number): number {
  const offsetName = formatOf(timeZone)
    .formatToParts(timeMs)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = 0, minutes = 0] = /^GMT([+-])(\d\d):(\d\d)$/.exec(offsetName ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + (Number(minutes) * HOUR_MS) / 60)
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  return format
}

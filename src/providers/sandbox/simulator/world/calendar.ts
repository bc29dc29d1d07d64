import type { Fleet } from './fleet.ts'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { terminalAt } from './road-network/terminals.ts'

/** A day or a month of a fleet's calendar, from its first moment to before that of the next. */
export interface CalendarSpan {
  /** `2025-03-09` or `2025-03`. */
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

/** The fleet keeps its books in the zone of its first terminal. */
export function timeZoneOf(fleet: Fleet): string {
  return terminalAt(fleet, 0).corridor.timeZone
}

/** The day that a moment belongs to. */
export function dayAt(timeZone: string, timeMs: number): CalendarSpan {
  const number = Math.floor((timeMs + offsetAt(timeZone, timeMs)) / DAY_MS)
  const name = new Date(number * DAY_MS).toISOString().slice(0, 10)
  return { name, startMs: midnight(timeZone, number), endMs: midnight(timeZone, number + 1) }
}

/** The days that a period touches, in order. */
export function* daysIn(timeZone: string, sinceMs: number, untilMs: number): Generator<CalendarSpan> {
  for (let day = dayAt(timeZone, sinceMs); day.startMs < untilMs; day = dayAt(timeZone, day.endMs)) yield day
}

/** The months from one to another, both `2025-03`, in order. */
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

/** When a day begins, of days counted since 1970. Clocks change in the night, but never at midnight here. */
function midnight(timeZone: string, day: number): number {
  const known = midnights.get(timeZone) ?? new Map<number, number>()
  midnights.set(timeZone, known)
  let startMs = known.get(day)
  if (startMs === undefined) {
    const guess = offsetFresh(timeZone, day * DAY_MS)
    startMs = day * DAY_MS - offsetFresh(timeZone, day * DAY_MS - guess)
    known.set(day, startMs)
  }
  return startMs
}

/** From UTC to the zone's clock; it is the same over an hour, so it is asked for once an hour. */
function offsetAt(timeZone: string, timeMs: number): number {
  const known = offsets.get(timeZone) ?? new Map<number, number>()
  offsets.set(timeZone, known)
  const hour = Math.floor(timeMs / HOUR_MS)
  let offset = known.get(hour)
  if (offset === undefined) known.set(hour, (offset = offsetFresh(timeZone, hour * HOUR_MS)))
  return offset
}

const offsets = new Map<string, Map<number, number>>()
const clocks = new Map<string, Intl.DateTimeFormat>()

function offsetFresh(timeZone: string, timeMs: number): number {
  const told = clockOf(timeZone)
    .formatToParts(timeMs)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = 0, minutes = 0] = /^GMT([+-])(\d\d):(\d\d)$/.exec(told ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + (Number(minutes) * HOUR_MS) / 60)
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  clocks.set(timeZone, clock)
  return clock
}

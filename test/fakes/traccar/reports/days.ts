import { Calendar } from '../../world/calendar.ts'
import type { Ms, World } from '../../world/truth.ts'

export interface LocalDay {
  /** YYYY-MM-DD */
  readonly date: string
  readonly from: Ms
  readonly to: Ms
}

const calendars = new WeakMap<World, Map<string, Calendar>>()

/** Returns the days that overlap a period, each cut to the period. By default, days are those of the fleet's zone. */
export const localDays = (world: World, from: Ms, to: Ms, timeZone?: string): LocalDay[] =>
  touchedDays(world, from, to, timeZone).map((day) => ({
    ...day,
    from: Math.max(from, day.from),
    to: Math.min(to, day.to),
  }))

/** Returns the whole days that overlap a period. */
export function touchedDays(world: World, from: Ms, to: Ms, timeZone = world.account.timeZone): LocalDay[] {
  const calendar = calendarOf(world, timeZone)
  const [first, last] = [
    calendar.dayOf(Math.max(from, world.startsAt)),
    calendar.dayOf(Math.min(to - 1, world.now)),
  ]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    date: calendar.dateOf(first + index),
    from: calendar.startOf(first + index),
    to: calendar.startOf(first + index + 1),
  }))
}

function calendarOf(world: World, timeZone: string): Calendar {
  const known = calendars.get(world) ?? new Map<string, Calendar>()
  const calendar = known.get(timeZone) ?? new Calendar(world.startsAt, timeZone)
  calendars.set(world, known.set(timeZone, calendar))
  return calendar
}

import { Calendar } from '../world/calendar.ts'
import type { Ms, World } from '../world/truth.ts'

export interface LocalDay {
  /** YYYY-MM-DD */
  readonly date: string
  readonly from: Ms
  readonly to: Ms
}

const calendars = new WeakMap<World, Calendar>()

/** The days of the fleet's time zone that a period touches, each cut to the period. */
export const localDays = (world: World, from: Ms, to: Ms): LocalDay[] =>
  touchedDays(world, from, to).map((day) => ({
    ...day,
    from: Math.max(from, day.from),
    to: Math.min(to, day.to),
  }))

/** The same days, each as a whole. */
export function touchedDays(world: World, from: Ms, to: Ms): LocalDay[] {
  const calendar = calendars.get(world) ?? new Calendar(world.startsAt, world.account.timeZone)
  calendars.set(world, calendar)
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

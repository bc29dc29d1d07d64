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
export function localDays(world: World, from: Ms, to: Ms): LocalDay[] {
  const calendar = calendars.get(world) ?? new Calendar(world.startsAt, world.account.timeZone)
  calendars.set(world, calendar)
  const [first, last] = [
    calendar.dayOf(Math.max(from, world.startsAt)),
    calendar.dayOf(Math.min(to - 1, world.now)),
  ]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    date: calendar.dateOf(first + index),
    from: Math.max(from, calendar.startOf(first + index)),
    to: Math.min(to, calendar.startOf(first + index + 1)),
  }))
}

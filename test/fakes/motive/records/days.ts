import { DAY } from '../../world/calendar.ts'
import type { Driver, Duty, DutyChange, Ms, Trip } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import type { Company } from '../company.ts'
import { baseOf } from './duties.ts'
import type { Day } from '../zone.ts'

/** A part of a duty, or all of it, as the log of a day tells it. */
export interface Piece {
  readonly id: number
  readonly change: DutyChange
  readonly from: Ms
  /** Null while it lasts. */
  readonly to: Ms | null
}

/** What the log of a driver has of one day of the driver's own zone. */
export interface LogDay {
  readonly id: number
  readonly driver: Driver
  readonly day: Day
  readonly pieces: readonly Piece[]
  /** Those that the driver was in. */
  readonly vehicles: readonly number[]
  readonly milliseconds: Readonly<Record<Duty, number>>
  readonly meters: number
}

const DAYS_OF_ID = 100_000
const PIECES = 1_000

/** A log that is there, before anything of it is looked at. */
export interface DatedLog {
  readonly driver: Driver
  readonly day: Day
  readonly changes: readonly DutyChange[]
}

/** Of the days that are asked for, from the first of which something is known to the one that runs. */
export function datedLogs(asked: Asked, days = daysAsked(asked)): DatedLog[] {
  const wanted = asked.ids('user', 'driver_ids')
  return asked.company
    .drivers()
    .filter(({ number }) => wanted?.has(number) ?? true)
    .flatMap((driver) => daysOf(asked, driver, days))
    .toSorted((one, other) => one.day.from - other.day.from || one.driver.number - other.driver.number)
}

function daysAsked(asked: Asked): Day[] {
  const { world, zone, now } = asked.company
  const today = zone.dateAt(now)
  const usual = asked.is('undatedLogs', 'today') ? today : zone.dateAt(world.startsAt)
  return zone.days(asked.date('start_date') ?? usual, lastDate(asked) ?? today)
}

function lastDate(asked: Asked): string | null {
  const date = asked.date('end_date')
  if (date === null || asked.is('endDate', 'inclusive')) return date
  return new Date(Date.parse(date) - DAY).toISOString().slice(0, 10)
}

function daysOf(asked: Asked, driver: Driver, days: readonly Day[]): DatedLog[] {
  const { company } = asked
  const changes = company.once(`duties ${driver.number}`, () =>
    company.world.dutyChanges(driver.number, company.world.startsAt, company.now + 1),
  )
  const first = changes[0]?.startedAt ?? Infinity
  return days
    .filter(({ from, to }) => to > first && from <= company.now)
    .map((day) => ({ driver, day, changes }))
}

export function logDayOf(asked: Asked, { driver, day, changes }: DatedLog): LogDay {
  const { now } = asked.company
  const touching = changes.filter(
    ({ startedAt, endedAt }) => startedAt < day.to && (endedAt ?? now + 1) > day.from,
  )
  const milliseconds = { off: 0, sleeper: 0, driving: 0, on: 0, yard: 0, personal: 0, waiting: 0 }
  for (const { duty, startedAt, endedAt } of touching)
    milliseconds[baseOf(duty)] += Math.min(endedAt ?? now, day.to) - Math.max(startedAt, day.from)
  const vehicles = touching.flatMap(({ vehicle }) => (vehicle === null ? [] : [vehicle]))
  const meters = tripsOf(asked, driver.number)
    .filter(({ startedAt }) => startedAt >= day.from && startedAt < day.to)
    .reduce((sum, trip) => sum + trip.meters, 0)
  const pieces = piecesOf(asked, day, touching)
  const id = driver.number * DAYS_OF_ID + Math.floor(Date.parse(day.date) / DAY)
  return { id, driver, day, pieces, vehicles: [...new Set(vehicles)], milliseconds, meters }
}

/** Cut at the ends of the day, or whole on the day on which it began. */
function piecesOf(asked: Asked, day: Day, touching: readonly DutyChange[]): Piece[] {
  if (asked.is('eventEnds', 'whole'))
    return touching
      .filter(({ startedAt }) => startedAt >= day.from)
      .map((change) => ({ id: change.number, change, from: change.startedAt, to: endOf(asked, change) }))
  return touching.map((change) => ({
    id: change.number * PIECES + Math.min(PIECES - 1, Math.ceil((day.from - change.startedAt) / DAY) + 1),
    change,
    from: Math.max(change.startedAt, day.from),
    to: day.to <= asked.company.now ? Math.min(change.endedAt ?? day.to, day.to) : endOf(asked, change),
  }))
}

const endOf = (asked: Asked, { endedAt }: DutyChange): Ms | null =>
  endedAt ?? (asked.is('openEvent', 'null') ? null : asked.company.now)

function tripsOf({ company }: Asked, driver: number): readonly Trip[] {
  const byDriver = company.once('trips by driver', () => byDriverOf(anyTrips(company)))
  return byDriver.get(driver) ?? []
}

/** Of all vehicles that there are or were: who drove one that is gone has still driven it. */
const anyTrips = (company: Company): Trip[] =>
  company.world.vehicles().flatMap(({ number }) => [...company.tripsOf(number)])

function byDriverOf(trips: readonly Trip[]): ReadonlyMap<number | null, readonly Trip[]> {
  const all = new Map<number | null, Trip[]>()
  for (const trip of trips) {
    const others = all.get(trip.driver)
    if (others) others.push(trip)
    else all.set(trip.driver, [trip])
  }
  return all
}

import { DAY } from '../../world/calendar.ts'
import type { Driver, Duty, DutyChange, Ms, Trip } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import type { Company } from '../company.ts'
import { baseOf } from './duties.ts'
import type { Day } from '../zone.ts'

/** A duty, or a part of it, in the log of a day. */
export interface Piece {
  readonly id: number
  readonly change: DutyChange
  readonly from: Ms
  /** Null for the current duty. */
  readonly to: Ms | null
}

/** A driver's log of one day in the driver's zone. */
export interface LogDay {
  readonly id: number
  readonly driver: Driver
  readonly day: Day
  readonly pieces: readonly Piece[]
  /** Vehicles of the driver on this day. */
  readonly vehicles: readonly number[]
  readonly milliseconds: Readonly<Record<Duty, number>>
  readonly meters: number
}

const DAYS_OF_ID = 100_000
const PIECES = 1_000

/** An existing log, before its content is computed. */
export interface DatedLog {
  readonly driver: Driver
  readonly day: Day
  readonly changes: readonly DutyChange[]
}

/** Returns the logs of the requested days, from the first known day to the current one. */
export function datedLogs(request: FakeRequest, days = daysAsked(request)): DatedLog[] {
  const wanted = request.ids('user', 'driver_ids')
  return request.company
    .drivers()
    .filter(({ number }) => wanted?.has(number) ?? true)
    .flatMap((driver) => daysOf(request, driver, days))
    .toSorted((one, other) => one.day.from - other.day.from || one.driver.number - other.driver.number)
}

function daysAsked(request: FakeRequest): Day[] {
  const { world, zone, now } = request.company
  const today = zone.dateAt(now)
  const usual = request.is('undatedLogs', 'today') ? today : zone.dateAt(world.startsAt)
  return zone.days(request.date('start_date') ?? usual, lastDate(request) ?? today)
}

function lastDate(request: FakeRequest): string | null {
  const date = request.date('end_date')
  if (date === null || request.is('endDate', 'inclusive')) return date
  return new Date(Date.parse(date) - DAY).toISOString().slice(0, 10)
}

function daysOf(request: FakeRequest, driver: Driver, days: readonly Day[]): DatedLog[] {
  const { company } = request
  const changes = company.once(`duties ${driver.number}`, () =>
    company.world.dutyChanges(driver.number, company.world.startsAt, company.now + 1),
  )
  const first = changes[0]?.startedAt ?? Infinity
  return days
    .filter(({ from, to }) => to > first && from <= company.now)
    .map((day) => ({ driver, day, changes }))
}

export function logDayOf(request: FakeRequest, { driver, day, changes }: DatedLog): LogDay {
  const { now } = request.company
  const touching = changes.filter(
    ({ startedAt, endedAt }) => startedAt < day.to && (endedAt ?? now + 1) > day.from,
  )
  const milliseconds = { off: 0, sleeper: 0, driving: 0, on: 0, yard: 0, personal: 0, waiting: 0 }
  for (const { duty, startedAt, endedAt } of touching)
    milliseconds[baseOf(duty)] += Math.min(endedAt ?? now, day.to) - Math.max(startedAt, day.from)
  const vehicles = touching.flatMap(({ vehicle }) => (vehicle === null ? [] : [vehicle]))
  const meters = tripsOf(request, driver.number)
    .filter(({ startedAt }) => startedAt >= day.from && startedAt < day.to)
    .reduce((sum, trip) => sum + trip.meters, 0)
  const pieces = piecesOf(request, day, touching)
  const id = driver.number * DAYS_OF_ID + Math.floor(Date.parse(day.date) / DAY)
  return { id, driver, day, pieces, vehicles: [...new Set(vehicles)], milliseconds, meters }
}

/** Returns the duties of a day: cut at its limits, or whole on the day of their start. */
function piecesOf(request: FakeRequest, day: Day, touching: readonly DutyChange[]): Piece[] {
  if (request.is('eventEnds', 'whole'))
    return touching
      .filter(({ startedAt }) => startedAt >= day.from)
      .map((change) => ({ id: change.number, change, from: change.startedAt, to: endOf(request, change) }))
  return touching.map((change) => ({
    id: change.number * PIECES + Math.min(PIECES - 1, Math.ceil((day.from - change.startedAt) / DAY) + 1),
    change,
    from: Math.max(change.startedAt, day.from),
    to: day.to <= request.company.now ? Math.min(change.endedAt ?? day.to, day.to) : endOf(request, change),
  }))
}

const endOf = (request: FakeRequest, { endedAt }: DutyChange): Ms | null =>
  endedAt ?? (request.is('openEvent', 'null') ? null : request.company.now)

function tripsOf({ company }: FakeRequest, driver: number): readonly Trip[] {
  const byDriver = company.once('trips by driver', () => byDriverOf(anyTrips(company)))
  return byDriver.get(driver) ?? []
}

/** Returns the trips of all vehicles, including former ones. */
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

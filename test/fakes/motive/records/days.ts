import { DAY } from '../../world/calendar.ts'
import type { Driver, Duty, DutyChange, Ms, Trip } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import type { Company } from '../company.ts'
import { baseOf } from './duties.ts'
import type { Day } from '../zone.ts'

/** Part of a duty status that belongs to one day; often all of it. */
export interface DutyPart {
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
  readonly parts: readonly DutyPart[]
  /** Vehicles of the driver on this day. */
  readonly vehicles: readonly number[]
  readonly milliseconds: Readonly<Record<Duty, number>>
  readonly meters: number
}

const IDS_PER_DRIVER = 100_000
const PARTS_PER_DUTY = 1_000

/** Log of a day, before its content is computed. */
export interface DatedLog {
  readonly driver: Driver
  readonly day: Day
  readonly changes: readonly DutyChange[]
}

/** Returns the logs of the requested days on which drivers have a duty status. */
export function datedLogs(request: FakeRequest, days = requestedDays(request)): DatedLog[] {
  const wanted = request.ids('user', 'driver_ids')
  return request.company
    .drivers()
    .filter(({ number }) => wanted?.has(number) ?? true)
    .flatMap((driver) => daysOf(request, driver, days))
    .toSorted((one, other) => one.day.from - other.day.from || one.driver.number - other.driver.number)
}

function requestedDays(request: FakeRequest): Day[] {
  const { world, zone, now } = request.company
  const today = zone.dateAt(now)
  const defaultStart = request.is('undatedLogs', 'today') ? today : zone.dateAt(world.startsAt)
  return zone.days(request.date('start_date') ?? defaultStart, lastDate(request) ?? today)
}

function lastDate(request: FakeRequest): string | null {
  const date = request.date('end_date')
  if (date === null || request.is('endDate', 'inclusive')) return date
  return new Date(Date.parse(date) - DAY).toISOString().slice(0, 10)
}

function daysOf(request: FakeRequest, driver: Driver, days: readonly Day[]): DatedLog[] {
  const { company } = request
  const changes = company.cached(`duties ${driver.number}`, () =>
    company.world.dutyChanges(driver.number, company.world.startsAt, company.now + 1),
  )
  const first = changes[0]?.startedAt ?? Infinity
  return days
    .filter(({ from, to }) => to > first && from <= company.now)
    .map((day) => ({ driver, day, changes }))
}

export function logDayOf(request: FakeRequest, { driver, day, changes }: DatedLog): LogDay {
  const { now } = request.company
  const overlapping = changes.filter(
    ({ startedAt, endedAt }) => startedAt < day.to && (endedAt ?? now + 1) > day.from,
  )
  const milliseconds = { off: 0, sleeper: 0, driving: 0, on: 0, yard: 0, personal: 0, waiting: 0 }
  for (const { duty, startedAt, endedAt } of overlapping)
    milliseconds[baseOf(duty)] += Math.min(endedAt ?? now, day.to) - Math.max(startedAt, day.from)
  const vehicles = overlapping.flatMap(({ vehicle }) => (vehicle === null ? [] : [vehicle]))
  const meters = tripsOf(request, driver.number)
    .filter(({ startedAt }) => startedAt >= day.from && startedAt < day.to)
    .reduce((sum, trip) => sum + trip.meters, 0)
  const parts = partsOf(request, day, overlapping)
  const id = driver.number * IDS_PER_DRIVER + Math.floor(Date.parse(day.date) / DAY)
  return { id, driver, day, parts, vehicles: [...new Set(vehicles)], milliseconds, meters }
}

/** Returns the duty statuses of a day: cut at its limits, or whole on the day when they start. */
function partsOf(request: FakeRequest, day: Day, overlapping: readonly DutyChange[]): DutyPart[] {
  if (request.is('eventEnds', 'whole'))
    return overlapping
      .filter(({ startedAt }) => startedAt >= day.from)
      .map((change) => ({ id: change.number, change, from: change.startedAt, to: endOf(request, change) }))
  return overlapping.map((change) => ({
    id:
      change.number * PARTS_PER_DUTY +
      Math.min(PARTS_PER_DUTY - 1, Math.ceil((day.from - change.startedAt) / DAY) + 1),
    change,
    from: Math.max(change.startedAt, day.from),
    to: day.to <= request.company.now ? Math.min(change.endedAt ?? day.to, day.to) : endOf(request, change),
  }))
}

const endOf = (request: FakeRequest, { endedAt }: DutyChange): Ms | null =>
  endedAt ?? (request.is('openEvent', 'null') ? null : request.company.now)

function tripsOf({ company }: FakeRequest, driver: number): readonly Trip[] {
  const byDriver = company.cached('trips by driver', () => byDriverOf(anyTrips(company)))
  return byDriver.get(driver) ?? []
}

/** Returns the trips of all vehicles, also removed ones. */
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

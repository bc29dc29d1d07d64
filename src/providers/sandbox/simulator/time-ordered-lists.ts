import { pageByTime } from './pagination.ts'
import { monthsOf, periodOf } from './query-params.ts'
import { driverOfId, vehicleOfId } from './records/ids.ts'
import { type Shift, shiftOf } from './records/hos/shift.ts'
import { iftaMonths } from './records/measures/ifta.ts'
import { type Period, resumedAt, type TimeOrdered } from './records/time-ordered.ts'
import type { EditedNoun, World } from './records/world.ts'
import { HttpError } from './http-error.ts'
import { driverCount, type Fleet, vehicleIsSilent, vehicleOfDriver } from './world/fleet.ts'
import { type VehicleRoute, vehicleRouteOf } from './world/vehicle-route.ts'

/** Answers a GET of a list by time. */
type List = (world: World, query: URLSearchParams) => unknown

/** What happened to somebody in a period, as it looks at `nowMs`. */
type Read<Of, T> = (of: Of, period: Period, nowMs: number) => Iterable<TimeOrdered<T>>

/** A list of what vehicles did, of all of them or of one. */
export function listDriven<T>(list: string, read: Read<VehicleRoute, T>): List {
  return listLasting(list, (track, period, nowMs, resumeMs) =>
    read(track, resumedAt(period, resumeMs), nowMs),
  )
}

/** A list of what was so in a period and may have begun before it, several at a time. */
export function listLasting<T>(
  list: string,
  read: (track: VehicleRoute, period: Period, nowMs: number, resumeMs: number) => Iterable<TimeOrdered<T>>,
): List {
  return (world, query) =>
    pageByTime(list, query, {
      ...vehicleRange(world.fleet, query),
      period: periodOf(query, world.nowMs),
      read(vehicle, period, resumeMs) {
        const known = knownOf(world, vehicle)
        return known ? read(known.track, upTo(period, known.untilMs), known.untilMs, resumeMs) : []
      },
    })
}

/** A list of what drivers did, of all of them or of one. */
export function listOfDrivers<T>(list: string, read: Read<Shift, T>): List {
  return (world, query) =>
    pageByTime(list, query, {
      ...driverRange(world.fleet, query),
      period: periodOf(query, world.nowMs),
      read(driver, period, resumeMs) {
        const shift = shiftOf(world.fleet, driver)
        if (!shift) return []
        const vehicle = vehicleOfDriver(world.fleet, driver)
        const untilMs = Math.min(endOf(world, 'drivers', driver), endOf(world, 'vehicles', vehicle))
        return read(shift, upTo(resumedAt(period, resumeMs), untilMs), untilMs)
      },
    })
}

/** What vehicles drove by state and month, of all of them or of one. */
export function listIfta(world: World, query: URLSearchParams) {
  const months = monthsOf(query, world.nowMs)
  return pageByTime('ifta', query, {
    ...vehicleRange(world.fleet, query),
    period: { sinceMs: 0, untilMs: world.nowMs },
    read(vehicle) {
      const known = knownOf(world, vehicle)
      return known ? iftaMonths(known.track, { ...months, untilMs: known.untilMs }) : []
    },
  })
}

/** A silent vehicle never did anything, and a removed one nothing since its removal. */
function knownOf(world: World, vehicle: number): { track: VehicleRoute; untilMs: number } | undefined {
  if (vehicleIsSilent(vehicle)) return undefined
  return { track: vehicleRouteOf(world.fleet, vehicle), untilMs: endOf(world, 'vehicles', vehicle) }
}

function endOf({ edits, nowMs }: World, noun: EditedNoun, index: number): number {
  return Math.min(nowMs, edits.removedAt(noun, index) ?? Number.POSITIVE_INFINITY)
}

/** Of a period what lies before a moment, and the moment itself. */
const upTo = ({ sinceMs, untilMs }: Period, lastMs: number): Period => ({
  sinceMs,
  untilMs: Math.min(untilMs, lastMs + 1),
})

function vehicleRange(fleet: Fleet, query: URLSearchParams) {
  return rangeOf(query.get('vehicleId'), fleet.size, (id) => vehicleOfId(fleet, id), 'vehicle')
}

function driverRange(fleet: Fleet, query: URLSearchParams) {
  return rangeOf(query.get('driverId'), driverCount(fleet), (id) => driverOfId(fleet, id), 'driver')
}

function rangeOf(
  id: string | null,
  count: number,
  indexOf: (id: string) => number | undefined,
  what: string,
) {
  if (id === null) return { first: 0, end: count }
  const index = indexOf(id)
  if (index === undefined) throw new HttpError(404, `There is no ${what} ${id}`)
  return { first: index, end: index + 1 }
}

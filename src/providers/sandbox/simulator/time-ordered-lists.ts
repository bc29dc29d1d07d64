import { pageByTime } from './pagination.ts'
import { monthsOf, periodOf } from './query-params.ts'
import { driverOfId, vehicleOfId } from './records/ids.ts'
import { type DriverAssignment, assignmentOf } from './records/hos/driver-assignment.ts'
import { iftaMonths } from './records/measures/ifta.ts'
import { type Period, remainingPeriod, type TimeOrdered } from './records/time-ordered.ts'
import type { EditableResource, World } from './records/world.ts'
import { HttpError } from './http-error.ts'
import { driverCount, type Fleet, vehicleIsSilent, vehicleOfDriver } from './world/fleet.ts'
import { type VehicleRoute, vehicleRouteOf } from './world/vehicle-route.ts'

/** Handles a GET of a list in the order of vehicles or drivers, then of time. */
type ListHandler = (world: World, query: URLSearchParams) => unknown

/** Returns the records of a vehicle or driver in a period, as of `nowMs`. */
type Read<Subject, T> = (subject: Subject, period: Period, nowMs: number) => Iterable<TimeOrdered<T>>

/** Creates a list of the records of all vehicles, or of the one that `vehicleId` selects. */
export function listByVehicle<T>(list: string, read: Read<VehicleRoute, T>): ListHandler {
  return listOverlappingByVehicle(list, (route, period, nowMs, resumeMs) =>
    read(route, remainingPeriod(period, resumeMs), nowMs),
  )
}

/**
 * Like `listByVehicle`, for records that may overlap and may begin before the period. On every page, `read` gets the
 * whole period.
 */
export function listOverlappingByVehicle<T>(
  list: string,
  read: (route: VehicleRoute, period: Period, nowMs: number, resumeMs: number) => Iterable<TimeOrdered<T>>,
): ListHandler {
  return (world, query) =>
    pageByTime(list, query, {
      ...vehicleIndexes(world.fleet, query),
      period: periodOf(query, world.nowMs),
      read(vehicle, period, resumeMs) {
        const reported = reportedRoute(world, vehicle)
        return reported
          ? read(reported.route, limitedTo(period, reported.untilMs), reported.untilMs, resumeMs)
          : []
      },
    })
}

/** Creates a list of the records of all drivers, or of the one that `driverId` selects. */
export function listByDriver<T>(list: string, read: Read<DriverAssignment, T>): ListHandler {
  return (world, query) =>
    pageByTime(list, query, {
      ...driverIndexes(world.fleet, query),
      period: periodOf(query, world.nowMs),
      read(driver, period, resumeMs) {
        const assignment = assignmentOf(world.fleet, driver)
        if (!assignment) return []
        const vehicle = vehicleOfDriver(world.fleet, driver)
        const untilMs = Math.min(dataEndMs(world, 'drivers', driver), dataEndMs(world, 'vehicles', vehicle))
        return read(assignment, limitedTo(remainingPeriod(period, resumeMs), untilMs), untilMs)
      },
    })
}

/** Lists the distance by state and month of all vehicles, or of the one that `vehicleId` selects. */
export function listIfta(world: World, query: URLSearchParams) {
  const months = monthsOf(query, world.nowMs)
  return pageByTime('ifta', query, {
    ...vehicleIndexes(world.fleet, query),
    period: { sinceMs: 0, untilMs: world.nowMs },
    read(vehicle) {
      const reported = reportedRoute(world, vehicle)
      return reported ? iftaMonths(reported.route, { ...months, untilMs: reported.untilMs }) : []
    },
  })
}

/**
 * Returns the route of a vehicle and the time until which it reported. Undefined for a vehicle that never
 * reported.
 */
function reportedRoute(world: World, vehicle: number): { route: VehicleRoute; untilMs: number } | undefined {
  if (vehicleIsSilent(vehicle)) return undefined
  return { route: vehicleRouteOf(world.fleet, vehicle), untilMs: dataEndMs(world, 'vehicles', vehicle) }
}

/** Returns the time until which a record has data: its removal by the test controls, else now. */
function dataEndMs({ edits, nowMs }: World, resource: EditableResource, index: number): number {
  return Math.min(nowMs, edits.removedAt(resource, index) ?? Number.POSITIVE_INFINITY)
}

/** Limits a period to its part up to and including a moment. */
const limitedTo = ({ sinceMs, untilMs }: Period, lastMs: number): Period => ({
  sinceMs,
  untilMs: Math.min(untilMs, lastMs + 1),
})

function vehicleIndexes(fleet: Fleet, query: URLSearchParams) {
  return indexRange(query.get('vehicleId'), fleet.size, (id) => vehicleOfId(fleet, id), 'vehicle')
}

function driverIndexes(fleet: Fleet, query: URLSearchParams) {
  return indexRange(query.get('driverId'), driverCount(fleet), (id) => driverOfId(fleet, id), 'driver')
}

/** Returns the index that an id selects, or all indexes without an id. */
function indexRange(
  id: string | null,
  count: number,
  indexOf: (id: string) => number | undefined,
  label: string,
) {
  if (id === null) return { first: 0, end: count }
  const index = indexOf(id)
  if (index === undefined) throw new HttpError(404, `No ${label} ${id}`)
  return { first: index, end: index + 1 }
}

import { mediaOf } from './clips.ts'
import { pageByIndex } from './pagination.ts'
import { accountRecord } from './records/account.ts'
import { devices } from './records/devices.ts'
import { drivers } from './records/drivers.ts'
import { faultCodes } from './records/faults/fault-codes.ts'
import { groups } from './records/groups.ts'
import { breadcrumbs } from './records/history.ts'
import { clocksRecord } from './records/hos/clocks.ts'
import { dailyLogs } from './records/hos/daily-logs.ts'
import { hosLogs } from './records/hos/logs.ts'
import { locationRecord } from './records/locations.ts'
import { stats } from './records/measures/stats.ts'
import { utilization } from './records/measures/utilization.ts'
import { type Roster, rosterRecord } from './records/roster.ts'
import { safetyEvents } from './records/safety/events.ts'
import { trailerLocation } from './records/trailers/locations.ts'
import { trailerCount, trailers } from './records/trailers/roster.ts'
import { trips } from './records/trips.ts'
import { vehicles } from './records/vehicles.ts'
import type { World } from './records/world.ts'
import { listByVehicle, listIfta, listOverlappingByVehicle, listByDriver } from './time-ordered-lists.ts'
import { driverCount, type Fleet } from './world/fleet.ts'

/** Parts of a request other than its query. */
export interface RequestContext {
  /** Origin of the request's URL, such as `http://127.0.0.1:4000`. */
  readonly origin: string
  /** Part of the path that matches the route's asterisk; empty if the route has none. */
  readonly id: string
}

/** Handles a GET. Returns the JSON body. */
export type Route = (world: World, query: URLSearchParams, context: RequestContext) => unknown

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/account', ({ fleet }) => accountRecord(fleet)],
  ['/groups', rosterRoute(groups)],
  ['/drivers', rosterRoute(drivers)],
  ['/vehicles', rosterRoute(vehicles)],
  ['/trailers', rosterRoute(trailers)],
  ['/devices', rosterRoute(devices)],
  ['/trips', listByVehicle('trips', trips)],
  ['/safety-events', listByVehicle('safety-events', safetyEvents)],
  ['/safety-events/*/media', (world, _query, { id, origin }) => mediaOf(world, id, origin)],
  ['/fault-codes', listOverlappingByVehicle('fault-codes', faultCodes)],
  ['/hos/logs', listByDriver('hos-logs', hosLogs)],
  ['/hos/daily-logs', listByDriver('daily-logs', dailyLogs)],
  ['/hos/clocks', latestRoute('clocks', driverCount, clocksRecord)],
  ['/utilization', listByVehicle('utilization', utilization)],
  ['/ifta', listIfta],
  ['/locations', latestRoute('locations', ({ size }) => size, locationRecord)],
  ['/locations/history', listByVehicle('history', breadcrumbs)],
  ['/trailers/locations', latestRoute('trailer-locations', trailerCount, trailerLocation)],
  ['/vehicles/stats', listByVehicle('stats', stats)],
])

/** Returns the route of a path, and the part of the path that matches its asterisk. */
export function routeOf(path: string): { route: Route; id: string } | undefined {
  const route = ROUTES.get(path)
  if (route) return { route, id: '' }
  const [, head, id, tail] = /^(\/[^/]+)\/([^/]+)(\/[^/]+)$/.exec(path) ?? []
  const routeWithId = ROUTES.get(`${head}/*${tail}`)
  return routeWithId && id !== undefined ? { route: routeWithId, id: decodeOrKeep(id) } : undefined
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function rosterRoute<T extends { updatedAt: string }>(roster: Roster<T>): Route {
  return (world, query) =>
    pageByIndex(roster.resource, query, roster.count(world.fleet), (index) =>
      rosterRecord(roster, world, index),
    )
}

/** Creates a route for the current states of vehicles, drivers or trailers. Those without a state are left out. */
function latestRoute<T>(
  list: string,
  count: (fleet: Fleet) => number,
  read: (world: World, index: number) => T | undefined,
): Route {
  return (world, query) => pageByIndex(list, query, count(world.fleet), (index) => read(world, index))
}

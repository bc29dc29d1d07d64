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
import { listDriven, listIfta, listLasting, listOfDrivers } from './time-ordered-lists.ts'
import { driverCount, type Fleet } from './world/fleet.ts'

/** What a route may know of a request beside its query. */
export interface Call {
  /** `http://127.0.0.1:4000`, as the caller names the simulator. */
  readonly origin: string
  /** What the path has in the place of the route's asterisk. */
  readonly id: string
}

/** Answers a GET with what becomes the JSON body. */
export type Route = (world: World, query: URLSearchParams, call: Call) => unknown

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/account', ({ fleet }) => accountRecord(fleet)],
  ['/groups', rosterRoute(groups)],
  ['/drivers', rosterRoute(drivers)],
  ['/vehicles', rosterRoute(vehicles)],
  ['/trailers', rosterRoute(trailers)],
  ['/devices', rosterRoute(devices)],
  ['/trips', listDriven('trips', trips)],
  ['/safety-events', listDriven('safety-events', safetyEvents)],
  ['/safety-events/*/media', (world, _query, { id, origin }) => mediaOf(world, id, origin)],
  ['/fault-codes', listLasting('fault-codes', faultCodes)],
  ['/hos/logs', listOfDrivers('hos-logs', hosLogs)],
  ['/hos/daily-logs', listOfDrivers('daily-logs', dailyLogs)],
  ['/hos/clocks', latestRoute('clocks', driverCount, clocksRecord)],
  ['/utilization', listDriven('utilization', utilization)],
  ['/ifta', listIfta],
  ['/locations', latestRoute('locations', ({ size }) => size, locationRecord)],
  ['/locations/history', listDriven('history', breadcrumbs)],
  ['/trailers/locations', latestRoute('trailer-locations', trailerCount, trailerLocation)],
  ['/vehicles/stats', listDriven('stats', stats)],
])

/** The route of a path, and what the path has in the place of its asterisk. */
export function routeOf(path: string): { route: Route; id: string } | undefined {
  const route = ROUTES.get(path)
  if (route) return { route, id: '' }
  const [, head, id, tail] = /^(\/[^/]+)\/([^/]+)(\/[^/]+)$/.exec(path) ?? []
  const named = ROUTES.get(`${head}/*${tail}`)
  return named && id !== undefined ? { route: named, id: decoded(id) } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function rosterRoute<T extends { updatedAt: string }>(roster: Roster<T>): Route {
  return (world, query) =>
    pageByIndex(roster.noun, query, roster.count(world.fleet), (index) => rosterRecord(roster, world, index))
}

/** A list of how things are now; what has nothing to tell is left out. */
function latestRoute<T>(
  list: string,
  count: (fleet: Fleet) => number,
  read: (world: World, index: number) => T | undefined,
): Route {
  return (world, query) => pageByIndex(list, query, count(world.fleet), (index) => read(world, index))
}

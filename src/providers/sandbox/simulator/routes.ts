import { pageByIndex, pageByTime } from './pages.ts'
import { periodOf } from './query.ts'
import { accountRecord } from './records/account.ts'
import { devices } from './records/devices.ts'
import { drivers } from './records/drivers.ts'
import { groups } from './records/groups.ts'
import { breadcrumbs } from './records/history.ts'
import { vehicleOfId } from './records/ids.ts'
import { locationRecord } from './records/locations.ts'
import { type Roster, rosterRecord } from './records/roster.ts'
import { safetyEvents } from './records/safety-events.ts'
import type { Period, Timed } from './records/timed.ts'
import { trips } from './records/trips.ts'
import { vehicles } from './records/vehicles.ts'
import type { World } from './records/world.ts'
import { Refusal } from './refusal.ts'
import { type Fleet, vehicleIsSilent } from './world/fleet.ts'
import { type Track, trackOf } from './world/track.ts'

/** Answers a GET with what becomes the JSON body. */
export type Route = (world: World, query: URLSearchParams) => unknown

export const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/account', ({ fleet }) => accountRecord(fleet)],
  ['/groups', rosterRoute(groups)],
  ['/drivers', rosterRoute(drivers)],
  ['/vehicles', rosterRoute(vehicles)],
  ['/devices', rosterRoute(devices)],
  ['/trips', timedRoute('trips', trips)],
  ['/safety-events', timedRoute('safety-events', safetyEvents)],
  ['/locations', listLocations],
  ['/locations/history', timedRoute('history', breadcrumbs)],
])

function rosterRoute<T extends { updatedAt: string }>(roster: Roster<T>): Route {
  return (world, query) =>
    pageByIndex(roster.noun, query, roster.count(world.fleet), (index) => rosterRecord(roster, world, index))
}

function listLocations(world: World, query: URLSearchParams) {
  return pageByIndex('locations', query, world.fleet.size, (vehicle) => locationRecord(world, vehicle))
}

type ReadTrack<T> = (track: Track, period: Period, nowMs: number) => Iterable<Timed<T>>

/** A list of what vehicles did, of all of them or of one. */
function timedRoute<T>(list: string, read: ReadTrack<T>): Route {
  return (world, query) =>
    pageByTime(list, query, {
      ...vehicleRange(world.fleet, query.get('vehicleId')),
      period: periodOf(query, world.nowMs),
      read: (vehicle, period) => readVehicle(world, vehicle, period, read),
    })
}

/** A silent vehicle never did anything, and a removed one nothing since its removal. */
function readVehicle<T>({ fleet, edits, nowMs }: World, vehicle: number, period: Period, read: ReadTrack<T>) {
  if (vehicleIsSilent(vehicle)) return []
  const removedMs = edits.removedAt('vehicles', vehicle) ?? Number.POSITIVE_INFINITY
  const untilMs = Math.min(period.untilMs, removedMs)
  return read(trackOf(fleet, vehicle), { ...period, untilMs }, nowMs)
}

function vehicleRange(fleet: Fleet, vehicleId: string | null) {
  if (vehicleId === null) return { first: 0, end: fleet.size }
  const vehicle = vehicleOfId(fleet, vehicleId)
  if (vehicle === undefined) throw new Refusal(404, `There is no vehicle ${vehicleId}`)
  return { first: vehicle, end: vehicle + 1 }
}

import type { FakeContext } from '../kit/fake.ts'
import type { Answer, Call, Handler, Route } from '../kit/http.ts'
import type { Ms, Vehicle, World } from '../world/truth.ts'
import { eventsOf } from './events.ts'
import { failed, JavaException } from './failure.ts'
import { toDevice, driversOf, toDriver, groupOf, groupsOf, toGroup, vehiclesOf } from './lists.ts'
import { latestOf, positionOfId, positionsOf } from './positions/positions.ts'
import type { SignIns } from './sign-in.ts'
import { summariesOf } from './reports/summaries.ts'
import { toTripReport, reportedTripsOf } from './reports/trips.ts'
import { answerOf, type TraccarSwitches } from './wire.ts'

const MAX_POSITIONS = 50_000

type Read = (query: URLSearchParams, world: World) => unknown

export function routesOf(context: FakeContext, switches: TraccarSwitches, signIns: SignIns): Route[] {
  const get = (path: string, read: Read): Route => ({
    method: 'GET',
    path: `/api/${path}`,
    handle: authorized(context, switches, signIns, read),
  })
  const report = (
    name: string,
    recordsOf: (vehicle: Vehicle, from: Ms, to: Ms, world: World, query: URLSearchParams) => object[],
  ) =>
    get(`reports/${name}`, (query, world) => {
      const [from, to] = periodOf(query, context, switches)
      return reportDevices(query, world).flatMap((vehicle) => recordsOf(vehicle, from, to, world, query))
    })
  return [
    ...signIns.routes.map((route) => ({ ...route, handle: withTraces(route.handle) })),
    get('devices', (query, world) =>
      page(devicesIn(query, world), query, switches).map((each) => toDevice(each, world, switches)),
    ),
    get('groups', (query, world) => page(groupsOf(world).map(toGroup), query, switches)),
    get('drivers', (query, world) => page(driversOf(world).map(toDriver), query, switches)),
    get('positions', (query, world) => positionsIn(query, world, context, switches)),
    report('trips', (vehicle, from, to, world) =>
      reportedTripsOf(vehicle, from, to, world, switches).map((trip) => toTripReport(trip, switches)),
    ),
    report('summary', (vehicle, from, to, world, query) =>
      summariesOf(vehicle, from, to, query.get('daily') === 'true', world, switches),
    ),
    report('events', (vehicle, from, to, world, query) => {
      const types = query.getAll('type').flatMap((type) => type.split(','))
      const isWanted = (type: string) => types.length === 0 || types.includes('%') || types.includes(type)
      return eventsOf(vehicle.number, from, to, world).filter(({ type }) => isWanted(type))
    }),
  ]
}

function authorized(context: FakeContext, switches: TraccarSwitches, signIns: SignIns, read: Read): Handler {
  return withTraces((call: Call) => {
    const account = signIns.accountOf(call)
    if (account === null) return signIns.unauthorized()
    return answerOf(read(call.query, context.accounts.world(account)), switches)
  })
}

const withTraces =
  (handle: Handler): Handler =>
  async (call: Call): Promise<Answer> => {
    try {
      return await handle(call)
    } catch (error) {
      if (error instanceof JavaException) return failed(error)
      throw error
    }
  }

function page<T>(all: readonly T[], query: URLSearchParams, switches: TraccarSwitches): T[] {
  if (switches.is('olderLists', 'whole')) return [...all]
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? 0)
  return all.slice(offset, limit > 0 ? offset + limit : undefined)
}

const numbersIn = (query: URLSearchParams, name: string): number[] => query.getAll(name).map(Number)

function devicesIn(query: URLSearchParams, world: World): Vehicle[] {
  const all = vehiclesOf(world)
  const [ids, serials] = [numbersIn(query, 'id'), query.getAll('uniqueId')]
  if (ids.length > 0) return devicesById(ids, all)
  return serials.length > 0 ? all.filter(({ deviceSerial }) => serials.includes(deviceSerial)) : all
}

/** Returns the devices of a report, by their ids or their groups. */
function reportDevices(query: URLSearchParams, world: World): Vehicle[] {
  const all = vehiclesOf(world)
  const groups = numbersIn(query, 'groupId')
  const named = devicesById(numbersIn(query, 'deviceId'), all)
  const grouped = all.filter((vehicle) => groups.includes(groupOf(vehicle)))
  return [...new Set([...named, ...grouped])]
}

function devicesById(ids: readonly number[], all: readonly Vehicle[]): Vehicle[] {
  return ids.map((id) => {
    const found = all.find(({ number }) => number === id)
    if (!found) throw new JavaException('SecurityException', 'Device access denied')
    return found
  })
}

function periodOf(
  query: URLSearchParams,
  { settings }: FakeContext,
  switches: TraccarSwitches,
): [from: Ms, to: Ms] {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? '')) as [number, number]
  if (Number.isNaN(from) || Number.isNaN(to))
    throw new JavaException('IllegalArgumentException', 'HTTP 400 Bad Request')
  const limit = Number(settings['periodLimitSeconds'] ?? Infinity)
  if (to - from > limit * 1000)
    throw new JavaException('IllegalArgumentException', 'Time period exceeds the limit')
  return [from, switches.is('edges', 'inclusive') ? to + 1 : to]
}

function positionsIn(
  query: URLSearchParams,
  world: World,
  context: FakeContext,
  switches: TraccarSwitches,
): unknown[] {
  const ids = numbersIn(query, 'id')
  if (ids.length > 0) return ids.flatMap((id) => positionOfId(id, world, switches) ?? [])
  if (!query.has('deviceId'))
    return vehiclesOf(world).flatMap(({ number }) => latestOf(number, world, switches) ?? [])
  const [vehicle] = devicesById(numbersIn(query, 'deviceId'), vehiclesOf(world)) as [Vehicle]
  const most = Number(context.settings['maxPositions'] ?? MAX_POSITIONS)
  return positionsOf(vehicle.number, ...periodOf(query, context, switches), world, switches).slice(0, most)
}

import type { Ground } from '../kit/fake.ts'
import type { Answer, Call, Handler, Route } from '../kit/http.ts'
import type { Ms, Vehicle, World } from '../world/truth.ts'
import { eventsOf } from './events.ts'
import { failed, JavaException } from './failure.ts'
import { deviceOf, driversOf, driverTold, groupOf, groupsOf, groupTold, vehiclesOf } from './lists.ts'
import { latestOf, positionOfId, positionsOf } from './positions/positions.ts'
import type { SignIns } from './sign-in.ts'
import { summariesOf } from './reports/summaries.ts'
import { rideTold, ridesOf } from './reports/trips.ts'
import { answerOf, type TraccarSwitches } from './wire.ts'

const MOST_POSITIONS = 50_000

type Reading = (query: URLSearchParams, world: World) => unknown

export function routesOf(ground: Ground, switches: TraccarSwitches, signIns: SignIns): Route[] {
  const get = (path: string, read: Reading): Route => ({
    method: 'GET',
    path: `/api/${path}`,
    handle: authorized(ground, switches, signIns, read),
  })
  const report = (
    name: string,
    recordsOf: (vehicle: Vehicle, from: Ms, to: Ms, world: World, query: URLSearchParams) => object[],
  ) =>
    get(`reports/${name}`, (query, world) => {
      const [from, to] = periodOf(query, ground, switches)
      return chosen(query, world).flatMap((vehicle) => recordsOf(vehicle, from, to, world, query))
    })
  return [
    ...signIns.routes.map((route) => ({ ...route, handle: withTraces(route.handle) })),
    get('devices', (query, world) =>
      page(devicesIn(query, world), query, switches).map((each) => deviceOf(each, world, switches)),
    ),
    get('groups', (query, world) => page(groupsOf(world).map(groupTold), query, switches)),
    get('drivers', (query, world) => page(driversOf(world).map(driverTold), query, switches)),
    get('positions', (query, world) => positionsIn(query, world, ground, switches)),
    report('trips', (vehicle, from, to, world) =>
      ridesOf(vehicle, from, to, world, switches).map((ride) => rideTold(ride, switches)),
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

function authorized(ground: Ground, switches: TraccarSwitches, signIns: SignIns, read: Reading): Handler {
  return withTraces((call: Call) => {
    const account = signIns.accountOf(call)
    if (account === null) return signIns.unauthorized()
    return answerOf(read(call.query, ground.accounts.world(account)), switches)
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
  if (ids.length > 0) return permitted(ids, all)
  return serials.length > 0 ? all.filter(({ deviceSerial }) => serials.includes(deviceSerial)) : all
}

/** Returns the devices of a report, by their ids or their groups. */
function chosen(query: URLSearchParams, world: World): Vehicle[] {
  const all = vehiclesOf(world)
  const groups = numbersIn(query, 'groupId')
  const named = permitted(numbersIn(query, 'deviceId'), all)
  const grouped = all.filter((vehicle) => groups.includes(groupOf(vehicle)))
  return [...new Set([...named, ...grouped])]
}

function permitted(ids: readonly number[], all: readonly Vehicle[]): Vehicle[] {
  return ids.map((id) => {
    const found = all.find(({ number }) => number === id)
    if (!found) throw new JavaException('SecurityException', 'Device access denied')
    return found
  })
}

function periodOf(
  query: URLSearchParams,
  { settings }: Ground,
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
  ground: Ground,
  switches: TraccarSwitches,
): unknown[] {
  const ids = numbersIn(query, 'id')
  if (ids.length > 0) return ids.flatMap((id) => positionOfId(id, world, switches) ?? [])
  if (!query.has('deviceId'))
    return vehiclesOf(world).flatMap(({ number }) => latestOf(number, world, switches) ?? [])
  const [vehicle] = permitted(numbersIn(query, 'deviceId'), vehiclesOf(world)) as [Vehicle]
  const most = Number(ground.settings['maxPositions'] ?? MOST_POSITIONS)
  return positionsOf(vehicle.number, ...periodOf(query, ground, switches), world, switches).slice(0, most)
}

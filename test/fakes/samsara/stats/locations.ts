import type { Fix } from '../../world/truth.ts'
import { listed, requiredTime, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { toAddress, toFineHeading, toMilesPerHour, toTime } from '../formats.ts'
import { feedPage, historyPage, type Source } from './feeds.ts'
import { reportedPlace } from './types.ts'

interface Located {
  readonly at: number
  readonly arrivedAt: number
  readonly vehicle: number
  readonly fix: Fix
}

export function vehicleLocations(request: FakeRequest): object {
  const { organization, query } = request
  const vehicles = organization.vehiclesOf(listed(query, 'vehicleIds'))
  const { items, pagination } = pageOf(
    request,
    vehicles,
    ({ number }) => [number],
    Number(request.switches.pageSize),
  )
  const data = items.flatMap(({ number, name }) => {
    const fix = organization.world.lastFix(number)
    return fix ? [{ id: id('vehicle', number), name, location: toLocation(request, fix) }] : []
  })
  return { data, pagination }
}

export function vehicleLocationsFeed(request: FakeRequest): object {
  const { items, pagination } = feedPage(request, sourceOf(request))
  return { data: byVehicle(request, items), pagination }
}

export function vehicleLocationsHistory(request: FakeRequest): object {
  const [from, to] = [requiredTime(request.query, 'startTime'), requiredTime(request.query, 'endTime')]
  const { items, pagination } = historyPage(request, sourceOf(request), from, to)
  return { data: byVehicle(request, items), pagination }
}

function sourceOf({ organization, query }: FakeRequest): Source<Located> {
  const located = (vehicle: number, fix: Fix): Located => ({
    at: fix.at,
    arrivedAt: fix.arrivedAt,
    vehicle,
    fix,
  })
  return {
    members: organization.vehiclesOf(listed(query, 'vehicleIds')),
    latest: (vehicle) => {
      const fix = organization.world.lastFix(vehicle)
      return fix && located(vehicle, fix)
    },
    between: (vehicle, from, to) =>
      organization.world.fixes(vehicle, from, to).map((fix) => located(vehicle, fix)),
  }
}

function byVehicle(request: FakeRequest, items: readonly Located[]): object[] {
  const entries = new Map<number, { id: string; name: string; locations: object[] }>()
  for (const { vehicle, fix } of items) {
    const name = request.organization.vehicle(vehicle)?.name ?? ''
    const entry = entries.get(vehicle) ?? { id: id('vehicle', vehicle), name, locations: [] }
    entries.set(vehicle, entry)
    entry.locations.push(toLocation(request, fix))
  }
  return [...entries.values()]
}

const toLocation = ({ switches }: FakeRequest, fix: Fix) => ({
  time: toTime(fix.at, switches),
  ...reportedPlace(fix, switches),
  heading: toFineHeading(fix.headingDegrees),
  speed: toMilesPerHour(fix.metersPerSecond),
  reverseGeo: { formattedLocation: toAddress(fix) },
})

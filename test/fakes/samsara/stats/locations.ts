import type { Fix } from '../../world/truth.ts'
import { listed, requiredTime, type Asked } from '../call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toAddress, toFineHeading, toMilesPerHour, toTime } from '../wording.ts'
import { feedPage, historyPage, type Source } from './feeds.ts'
import { placeTold } from './types.ts'

/** The older words for where vehicles are: the speed is in mph here as well. */

interface Located {
  readonly at: number
  readonly arrivedAt: number
  readonly vehicle: number
  readonly fix: Fix
}

export function vehicleLocations(asked: Asked): object {
  const { organization, query } = asked
  const vehicles = organization.vehiclesOf(listed(query, 'vehicleIds'))
  const { items, pagination } = pageOf(
    asked,
    vehicles,
    ({ number }) => [number],
    Number(asked.switches.pageSize),
  )
  const data = items.flatMap(({ number, name }) => {
    const fix = organization.world.lastFix(number)
    return fix ? [{ id: id('vehicle', number), name, location: toLocation(asked, fix) }] : []
  })
  return { data, pagination }
}

export function vehicleLocationsFeed(asked: Asked): object {
  const { items, pagination } = feedPage(asked, sourceOf(asked))
  return { data: byVehicle(asked, items), pagination }
}

export function vehicleLocationsHistory(asked: Asked): object {
  const [from, to] = [requiredTime(asked.query, 'startTime'), requiredTime(asked.query, 'endTime')]
  const { items, pagination } = historyPage(asked, sourceOf(asked), from, to)
  return { data: byVehicle(asked, items), pagination }
}

function sourceOf({ organization, query }: Asked): Source<Located> {
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

function byVehicle(asked: Asked, items: readonly Located[]): object[] {
  const entries = new Map<number, { id: string; name: string; locations: object[] }>()
  for (const { vehicle, fix } of items) {
    const name = asked.organization.vehicle(vehicle)?.name ?? ''
    const entry = entries.get(vehicle) ?? { id: id('vehicle', vehicle), name, locations: [] }
    entries.set(vehicle, entry)
    entry.locations.push(toLocation(asked, fix))
  }
  return [...entries.values()]
}

const toLocation = ({ switches }: Asked, fix: Fix) => ({
  time: toTime(fix.at, switches),
  ...placeTold(fix, switches),
  heading: toFineHeading(fix.headingDegrees),
  speed: toMilesPerHour(fix.metersPerSecond),
  reverseGeo: { formattedLocation: toAddress(fix) },
})

import { listed, requiredTime, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { feedPage, historyPage, type Source } from './feeds.ts'
import { groupedByVehicle, latestOf, momentsOf, type Moment } from './moments.ts'
import { decorationsIn, statTypes, typesIn } from './types.ts'

/** `/fleet/vehicles/stats`: the newest readings of each vehicle. */
export function vehicleStats(request: FakeRequest): object {
  const wanted = { types: typesIn(request.query), decorations: [] }
  const vehicles = request.organization.vehiclesOf(listed(request.query, 'vehicleIds'))
  const { items, pagination } = pageOf(
    request,
    vehicles,
    ({ number }) => [number],
    Number(request.switches.pageSize),
  )
  const data = items.map((vehicle) => {
    const readings = Object.entries(latestOf(request, vehicle, wanted)?.readings ?? {})
    return {
      id: id('vehicle', vehicle.number),
      name: vehicle.name,
      ...Object.fromEntries(
        readings.map(([type, reading]) => [statTypes[type]?.inSnapshot ?? type, reading]),
      ),
    }
  })
  return { data, pagination }
}

export function vehicleStatsFeed(request: FakeRequest): object {
  const { items, pagination } = feedPage(request, sourceOf(request))
  return { data: groupedByVehicle(items), pagination }
}

export function vehicleStatsHistory(request: FakeRequest): object {
  const [from, to] = [requiredTime(request.query, 'startTime'), requiredTime(request.query, 'endTime')]
  const { items, pagination } = historyPage(request, sourceOf(request), from, to)
  return { data: groupedByVehicle(items), pagination }
}

function sourceOf(request: FakeRequest): Source<Moment> {
  const wanted = { types: typesIn(request.query), decorations: decorationsIn(request.query) }
  const { organization, query } = request
  const latest = (number: number) => {
    const vehicle = organization.vehicle(number)
    return vehicle ? latestOf(request, vehicle, wanted) : null
  }
  return {
    members: organization.vehiclesOf(listed(query, 'vehicleIds')),
    latest,
    between: (number, from, to) => {
      const vehicle = organization.vehicle(number)
      return vehicle ? momentsOf(request, vehicle, wanted, from, to) : []
    },
  }
}

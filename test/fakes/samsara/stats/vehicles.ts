import { listed, requiredTime, type Asked } from '../call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { feedPage, historyPage, type Source } from './feeds.ts'
import { gathered, latestOf, momentsOf, type Moment } from './moments.ts'
import { decorationsIn, readTypes, typesIn } from './types.ts'

/** `/fleet/vehicles/stats`: the newest of at most three types. */
export function vehicleStats(asked: Asked): object {
  const wanted = { types: typesIn(asked.query), decorations: [] }
  const vehicles = asked.organization.vehiclesOf(listed(asked.query, 'vehicleIds'))
  const { items, pagination } = pageOf(
    asked,
    vehicles,
    ({ number }) => [number],
    Number(asked.switches.pageSize),
  )
  const data = items.map((vehicle) => {
    const readings = Object.entries(latestOf(asked, vehicle, wanted)?.readings ?? {})
    return {
      id: id('vehicle', vehicle.number),
      name: vehicle.name,
      ...Object.fromEntries(
        readings.map(([type, reading]) => [readTypes[type]?.inSnapshot ?? type, reading]),
      ),
    }
  })
  return { data, pagination }
}

export function vehicleStatsFeed(asked: Asked): object {
  const { items, pagination } = feedPage(asked, sourceOf(asked))
  return { data: gathered(items), pagination }
}

export function vehicleStatsHistory(asked: Asked): object {
  const [from, to] = [requiredTime(asked.query, 'startTime'), requiredTime(asked.query, 'endTime')]
  const { items, pagination } = historyPage(asked, sourceOf(asked), from, to)
  return { data: gathered(items), pagination }
}

function sourceOf(asked: Asked): Source<Moment> {
  const wanted = { types: typesIn(asked.query), decorations: decorationsIn(asked.query) }
  const { organization, query } = asked
  const latest = (number: number) => {
    const vehicle = organization.vehicle(number)
    return vehicle ? latestOf(asked, vehicle, wanted) : null
  }
  return {
    members: organization.vehiclesOf(listed(query, 'vehicleIds')),
    latest,
    between: (number, from, to) => {
      const vehicle = organization.vehicle(number)
      return vehicle ? momentsOf(asked, vehicle, wanted, from, to) : []
    },
  }
}

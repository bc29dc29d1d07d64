import type { Fix, Ms, Vehicle } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { badRequest, Refusal } from '../refusal.ts'
import { toFullLocation, toLocation } from './fixes.ts'

const MOST_MONTHS = 3

/** `/v3/vehicle_locations/{id}`: of at most three months. */
export function history(asked: Asked): object {
  const [start, end] = [asked.date('start_date'), asked.date('end_date')]
  if (start === null || end === null) throw badRequest('start_date and end_date are required')
  if (end > monthsAfter(start)) throw badRequest('The duration must not exceed 3 months')
  const vehicle = vehicleOf(asked)
  const { from, to } = asked.period(asked.zone)
  const fixes = fixesOf(asked, vehicle, from, to).filter(({ arrivedAt }) => asked.isChanged(arrivedAt))
  return listed(asked, fixes, (fix) => toFullLocation(asked, vehicle, fix))
}

function monthsAfter(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1 + MOST_MONTHS, day)).toISOString().slice(0, 10)
}

/** `/v1/vehicle_locations/{id}` and `/v2`: of one day. */
export function historyOfDay(asked: Asked): object {
  const date = asked.date('date')
  if (date === null) throw badRequest('date is required')
  const vehicle = vehicleOf(asked)
  const fixes = fixesOf(asked, vehicle, asked.zone.startOf(date), asked.zone.endOf(date))
  return {
    location_histories: fixes.map((fix) => ({ location_history: toLocation(asked, vehicle, fix) })),
  }
}

function vehicleOf({ company, id }: Asked): Vehicle {
  const vehicle = company.vehicle(numberOf('vehicle', id))
  if (!vehicle) throw new Refusal(404, 'Vehicle not found')
  return vehicle
}

const fixesOf = ({ company }: Asked, { number }: Vehicle, from: Ms, to: Ms): readonly Fix[] =>
  company.world.fixes(number, from, to)

/** Whether it is cut into pages nobody says, and its names are only known from clients. */
function listed(asked: Asked, fixes: readonly Fix[], tell: (fix: Fix) => object): object {
  const names = asked.is('historyNames', 'vehicle_locations')
    ? { list: 'vehicle_locations', item: 'vehicle_location' }
    : { list: 'location_histories', item: 'location_history' }
  if (asked.is('historyPages', 'pages')) return pageOf(asked, names, fixes, tell)
  return { [names.list]: fixes.map((fix) => ({ [names.item]: tell(fix) })) }
}

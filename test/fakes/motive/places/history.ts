import type { Fix, Ms, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { badRequest, Refusal } from '../refusal.ts'
import { toFullLocation, toLocation } from './fixes.ts'

const MAX_MONTHS = 3

/** `/v3/vehicle_locations/{id}`: locations of at most three months. */
export function history(request: FakeRequest): object {
  const [start, end] = [request.date('start_date'), request.date('end_date')]
  if (start === null || end === null) throw badRequest('start_date and end_date are required')
  if (end > monthsAfter(start)) throw badRequest('The duration must not exceed 3 months')
  const vehicle = vehicleOf(request)
  const { from, to } = request.period(request.zone)
  const fixes = fixesOf(request, vehicle, from, to).filter(({ arrivedAt }) => request.isChanged(arrivedAt))
  return listed(request, fixes, (fix) => toFullLocation(request, vehicle, fix))
}

function monthsAfter(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1 + MAX_MONTHS, day)).toISOString().slice(0, 10)
}

/** `/v1/vehicle_locations/{id}` and `/v2`: locations of one day. */
export function historyOfDay(request: FakeRequest): object {
  const date = request.date('date')
  if (date === null) throw badRequest('date is required')
  const vehicle = vehicleOf(request)
  const fixes = fixesOf(request, vehicle, request.zone.startOf(date), request.zone.endOf(date))
  return {
    location_histories: fixes.map((fix) => ({ location_history: toLocation(request, vehicle, fix) })),
  }
}

function vehicleOf({ company, id }: FakeRequest): Vehicle {
  const vehicle = company.vehicle(numberOf('vehicle', id))
  if (!vehicle) throw new Refusal(404, 'Vehicle not found')
  return vehicle
}

const fixesOf = ({ company }: FakeRequest, { number }: Vehicle, from: Ms, to: Ms): readonly Fix[] =>
  company.world.fixes(number, from, to)

/** Returns the locations. Switches select the name of the list, and whether it has pages. */
function listed(request: FakeRequest, fixes: readonly Fix[], format: (fix: Fix) => object): object {
  const names = request.is('historyNames', 'vehicle_locations')
    ? { list: 'vehicle_locations', item: 'vehicle_location' }
    : { list: 'location_histories', item: 'location_history' }
  if (request.is('historyPages', 'pages')) return pageOf(request, names, fixes, format)
  return { [names.list]: fixes.map((fix) => ({ [names.item]: format(fix) })) }
}

import type { Trip } from '../../world/truth.ts'
import { listed, requiredTime, type FakeRequest } from '../http/call.ts'
import { idNumber, uuid } from '../ids.ts'
import { limitIn, pageOf } from '../http/pages.ts'
import { toPlace, toTime } from '../formats.ts'

const MIN_MILLISECONDS = 120_000
const MAX_MILLISECONDS = 86_400_000
const MAX_PAGE_SIZE = 200
const NO_DRIVER_ID = 0

/** `/idling/events`: one event per trip, at its start. */
export function idlingEvents(request: FakeRequest): object {
  const { organization, query, switches } = request
  const [from, to] = [requiredTime(query, 'startTime'), requiredTime(query, 'endTime')]
  const trips = organization
    .vehiclesOf(listed(query, 'assetIds'))
    .flatMap(({ number }) => organization.tripsOf(number))
    .filter(({ startedAt }) => startedAt >= from && startedAt < to)
    .filter(({ idlingMilliseconds }) => idlingMilliseconds >= MIN_MILLISECONDS)
    .toSorted((one, other) => one.startedAt - other.startedAt || one.number - other.number)
  const positionOf = ({ startedAt, number }: Trip) => [startedAt, number]
  const limit = Math.min(limitIn(request), MAX_PAGE_SIZE)
  const { items, pagination } = pageOf(request, trips, positionOf, limit)
  const data = items.map((trip) => ({
    eventUuid: uuid('idling', trip.number),
    asset: { id: idNumber('vehicle', trip.vehicle) },
    operator: { id: trip.driver === null ? NO_DRIVER_ID : idNumber('driver', trip.driver) },
    startTime: toTime(trip.startedAt, switches),
    durationMilliseconds: Math.min(trip.idlingMilliseconds, MAX_MILLISECONDS),
    ...toPlace(trip.start),
    ptoState: 'inactive',
    fuelConsumedMilliliters: 0,
    fuelCost: { amount: '0', currency: 'usd' },
    gaseousFuelConsumedGrams: 0,
    gaseousFuelCost: { amount: '0', currency: 'usd' },
  }))
  return { data, pagination }
}

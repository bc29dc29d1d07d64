import type { SafetyEvent } from '../../world/truth.ts'
import { atMost, listed, oneOf, required, requiredTime, timeIn, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf, streamPagination } from '../http/pages.ts'
import { rounded, toKilometersPerHour, toTime } from '../formats.ts'
import { severityOf } from './safety.ts'
import { toStreamPlace } from './trips.ts'

const MAX_ASSETS = 50

/** `/speeding-intervals/stream`: the speeding events again, with their trips and without ids. */
export function speedingIntervalsStream(request: FakeRequest): object {
  const { organization, query, switches } = request
  required(query, 'assetIds')
  const ids = listed(query, 'assetIds')
  atMost(ids, MAX_ASSETS, 'assetIds')
  const by = oneOf(query, 'queryBy', ['updatedAtTime', 'tripStartTime'])
  const timeOf = (event: SafetyEvent) =>
    by === 'updatedAtTime' ? event.updatedAt : tripStartOf(request, event)
  const [from, to] = [requiredTime(query, 'startTime'), timeIn(query, 'endTime') ?? Infinity]
  const events = organization
    .vehiclesOf(ids)
    .flatMap(({ number }) => organization.safetyEventsOf(number))
    .filter(({ kind }) => kind === 'speeding')
    .filter((event) => timeOf(event) >= from && timeOf(event) < to)
    .toSorted((one, other) => timeOf(one) - timeOf(other) || one.number - other.number)
  const positionOf = (event: SafetyEvent) => [timeOf(event), event.number]
  const { items, pagination } = pageOf(request, events, positionOf, Number(switches.pageSize))
  const last = items.at(-1)
  return {
    data: items.map((event) => toInterval(request, event)),
    pagination:
      to === Infinity
        ? streamPagination(request, last && positionOf(last), pagination.hasNextPage)
        : pagination,
  }
}

function tripStartOf({ organization }: FakeRequest, { vehicle, startedAt }: SafetyEvent): number {
  const trip = organization.tripsOf(vehicle).findLast((trip) => trip.startedAt <= startedAt)
  return trip?.startedAt ?? startedAt
}

function toInterval(request: FakeRequest, event: SafetyEvent): object {
  const { query, switches } = request
  const isNamed = query.get('includeDriverId') === 'true' && event.driver !== null
  return {
    asset: { id: id('vehicle', event.vehicle) },
    ...(isNamed && { driverId: id('driver', event.driver) }),
    tripStartTime: toTime(tripStartOf(request, event), switches),
    createdAtTime: toTime(event.arrivedAt, switches),
    updatedAtTime: toTime(event.updatedAt, switches),
    intervals: [
      {
        startTime: toTime(event.startedAt, switches),
        endTime: toTime(event.endedAt, switches),
        isDismissed: false,
        severityLevel: severityOf(event),
        maxSpeedKilometersPerHour: rounded(toKilometersPerHour(event.maxMetersPerSecond), 3),
        postedSpeedLimitKilometersPerHour: rounded(toKilometersPerHour(event.limitMetersPerSecond ?? 0), 3),
        location: toStreamPlace({ ...event.start, at: event.startedAt }, switches, event.headingDegrees),
      },
    ],
  }
}

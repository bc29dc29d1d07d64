import type { Place, Trip } from '../../world/truth.ts'
import { atMost, listed, oneOf, required, requiredTime, timeIn, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf, streamPagination } from '../http/pages.ts'
import { reportedPlace } from '../stats/types.ts'
import { toAddress, toHeading, toTime } from '../formats.ts'

const MAX_ASSETS = 50

/** `/trips/stream`: trips without driver and distance. */
export function tripsStream(request: FakeRequest): object {
  const { organization, query, switches } = request
  required(query, 'ids')
  const ids = listed(query, 'ids')
  atMost(ids, MAX_ASSETS, 'ids')
  const trips = organization.vehiclesOf(ids).flatMap(({ number }) => organization.tripsOf(number))
  const by = oneOf(query, 'queryBy', ['updatedAtTime', 'tripStartTime'])
  const timeOf = (trip: Trip) => (by === 'updatedAtTime' ? trip.updatedAt : trip.startedAt)
  const [from, to] = [requiredTime(query, 'startTime'), timeIn(query, 'endTime') ?? Infinity]
  const status = oneOf(query, 'completionStatus', ['all', 'inProgress', 'completed'])
  const wanted = trips
    .filter(
      (trip) => timeOf(trip) >= from && timeOf(trip) < to && (status === 'all' || status === statusOf(trip)),
    )
    .toSorted((one, other) => timeOf(one) - timeOf(other) || one.number - other.number)
  const positionOf = (trip: Trip) => [timeOf(trip), trip.number]
  const { items, pagination } = pageOf(request, wanted, positionOf, Number(switches.pageSize))
  const last = items.at(-1)
  return {
    data: items.map((trip) => toTrip(request, trip)),
    pagination:
      to === Infinity
        ? streamPagination(request, last && positionOf(last), pagination.hasNextPage)
        : pagination,
  }
}

const statusOf = ({ endedAt }: Trip) => (endedAt === null ? 'inProgress' : 'completed')

function toTrip({ organization, query, switches }: FakeRequest, trip: Trip): object {
  const vehicle = organization.vehicle(trip.vehicle)
  const known = query.get('includeAsset') === 'true' && vehicle
  const hasEnd = trip.endedAt !== null || switches.runningEnd === 'current'
  return {
    asset: {
      id: id('vehicle', trip.vehicle),
      ...(known && { name: known.name, type: 'vehicle', vin: known.vin }),
    },
    completionStatus: statusOf(trip),
    tripStartTime: toTime(trip.startedAt, switches),
    ...(trip.endedAt !== null && { tripEndTime: toTime(trip.endedAt, switches) }),
    startLocation: toStreamPlace({ ...trip.start, at: trip.startedAt }, switches),
    ...(hasEnd && {
      endLocation: toStreamPlace({ ...trip.end, at: trip.endedAt ?? organization.now }, switches),
    }),
    createdAtTime: toTime(trip.arrivedAt, switches),
    updatedAtTime: toTime(trip.updatedAt, switches),
  }
}

/** Returns a position in the format of streams. */
export const toStreamPlace = (
  place: Place & { readonly at: number },
  switches: FakeRequest['switches'],
  headingDegrees = 0,
) => ({
  ...reportedPlace(place, switches),
  headingDegrees: toHeading(headingDegrees),
  accuracyMeters: 5,
  address: { street: toAddress(place), country: 'USA' },
})

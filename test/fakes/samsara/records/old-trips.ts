import type { Trip } from '../../world/truth.ts'
import { badRequest, required, type FakeRequest } from '../http/call.ts'
import { idNumber, numberOf } from '../ids.ts'
import { MILLISECONDS_PER_DAY, toAddress, toList, toPlace } from '../formats.ts'

const MAX_DAYS = 90
/**
 * Placeholder for the end of a running trip: the largest 64-bit integer, which no JavaScript number can be. The
 * response has it without the marks.
 */
export const END_OF_RUNNING = '#9223372036854775807#'
const NO_DRIVER_ID = 0

/** `/v1/fleet/trips`: trips of one vehicle, with numeric ids and unix milliseconds, without pages. */
export function oldTrips({ organization, query, switches }: FakeRequest): object {
  const number = numberOf('vehicle', required(query, 'vehicleId'))
  const [from, to] = [millisecondsIn(query, 'startMs'), millisecondsIn(query, 'endMs')]
  if (to - from > MAX_DAYS * MILLISECONDS_PER_DAY) throw badRequest('The time range is longer than 90 days.')
  if (!organization.vehicle(number)) throw badRequest('Invalid value for parameter vehicleId.')
  const isWanted = (trip: Trip) =>
    switches.oldTrips === 'begun' ? trip.startedAt >= from : (trip.endedAt ?? Infinity) > from
  const trips = organization.tripsOf(number).filter((trip) => trip.startedAt < to && isWanted(trip))
  return toList('trips', trips.map(toOldTrip), switches)
}

function millisecondsIn(query: URLSearchParams, name: string): number {
  const value = required(query, name)
  if (!/^\d{1,16}$/.test(value)) throw badRequest(`Invalid value for parameter ${name}.`)
  return Number(value)
}

const toOldTrip = (trip: Trip) => ({
  startMs: trip.startedAt,
  endMs: trip.endedAt ?? END_OF_RUNNING,
  startLocation: toAddress(trip.start),
  endLocation: toAddress(trip.end),
  startCoordinates: toPlace(trip.start),
  endCoordinates: toPlace(trip.end),
  startOdometer: Math.round(trip.startOdometerMeters),
  endOdometer: Math.round(trip.startOdometerMeters + trip.meters),
  distanceMeters: metersOf(trip),
  fuelConsumedMl: Math.round(trip.fuelLiters * 1000),
  tollMeters: 0,
  driverId: trip.driver === null ? NO_DRIVER_ID : idNumber('driver', trip.driver),
  codriverIds: [],
  assetIds: [],
})

export const metersOf = ({ meters }: Trip) => Math.round(meters)

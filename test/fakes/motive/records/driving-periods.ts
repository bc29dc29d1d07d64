import { DAY } from '../../world/calendar.ts'
import type { Trip } from '../../world/truth.ts'
import type { FakeRequest, Period } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { describe, placeAt } from '../places/fixes.ts'
import { badRequest } from '../refusal.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { rounded, secondOf, toDegrees, toKilometers, toTime } from '../formats.ts'

const MAX_DAYS = 30
const METERS_IN_MILE = 1609.344
const NO_ODOMETER_EVERY = 7

/** `/v1/driving_periods`: of at most 30 days. */
export function listDrivingPeriods(request: FakeRequest): object {
  const period = request.period(request.zone)
  const isWhole = request.query.has('start_date') && request.query.has('end_date')
  if (!isWhole) throw badRequest('start_date and end_date are required')
  // A period with a change to winter time has an hour more.
  const isTooLong = period.to - period.from > MAX_DAYS * DAY + DAY / 24
  if (isTooLong && request.is('drivingWindow', '30_days')) throw badRequest('Date range exceeds 30 days')
  const trips = request.company
    .trips()
    .filter((trip) => isWanted(request, trip, period))
    .toSorted((one, other) => one.startedAt - other.startedAt || one.number - other.number)
  return pageOf(request, { list: 'driving_periods', item: 'driving_period' }, trips, (trip) =>
    toPeriod(request, trip),
  )
}

function isWanted(request: FakeRequest, trip: Trip, { from, to }: Period): boolean {
  const [vehicles, drivers] = [request.ids('vehicle', 'vehicle_ids'), request.ids('user', 'driver_ids')]
  const isAssigned = request.query.get('assigned_to_driver')
  if (vehicles && !vehicles.has(trip.vehicle)) return false
  if (drivers && (trip.driver === null || !drivers.has(trip.driver))) return false
  if (isAssigned !== null && (trip.driver !== null) !== (isAssigned === 'true')) return false
  if (request.is('happeningsChanged', 'honoured') && !request.isChanged(trip.updatedAt)) return false
  if (trip.endedAt === null && request.is('drivingRuns', 'left_out')) return false
  const lastsUntil = request.is('drivingMatch', 'begun') ? trip.startedAt : (trip.endedAt ?? Infinity)
  return lastsUntil >= from && trip.startedAt < to
}

/** Whether the device could read the odometer. */
export const hasOdometer = (request: FakeRequest, { number }: Trip): boolean =>
  request.is('drivingOdometers', 'sent') || number % NO_ODOMETER_EVERY !== 0

export const startKilometers = (request: FakeRequest, trip: Trip): number =>
  reported(request, toKilometers(trip.startOdometerMeters))

export const endKilometers = (request: FakeRequest, trip: Trip): number =>
  reported(request, toKilometers(trip.startOdometerMeters + trip.meters))

const reported = (request: FakeRequest, kilometers: number): number =>
  request.is('drivingKilometers', 'fractions') ? kilometers : Math.round(kilometers)

/** Returns the duration in whole seconds; until now for a running trip. */
const secondsOf = (request: FakeRequest, { startedAt, endedAt }: Trip): number =>
  (secondOf(endedAt ?? request.company.now) - secondOf(startedAt)) / 1000

function toPeriod(request: FakeRequest, trip: Trip): object {
  const vehicle = request.company.vehicle(trip.vehicle)
  const runs = trip.endedAt === null
  const hasReading = hasOdometer(request, trip)
  return {
    id: trip.number,
    start_time: toTime(trip.startedAt),
    end_time: trip.endedAt === null ? null : toTime(trip.endedAt),
    status: runs ? 'in_progress' : 'complete',
    type: 'driving',
    annotation_status: null,
    notes: null,
    duration: secondsOf(request, trip),
    start_kilometers: hasReading ? startKilometers(request, trip) : null,
    end_kilometers: hasReading && !runs ? endKilometers(request, trip) : null,
    source: 1,
    driver: toDriverSummary(request.company.driver(trip.driver)),
    vehicle: vehicle && toVehicleSummary(request, vehicle),
    distance: runs ? null : `${rounded(trip.meters / METERS_IN_MILE, 1)} mi`,
    ...(request.is('drivingEnds', 'sent') && endsOf(request, trip)),
  }
}

function endsOf(request: FakeRequest, { start, end, startedAt, endedAt }: Trip) {
  const origin = placeAt(request, start, startedAt)
  const destination = endedAt === null ? null : placeAt(request, end, endedAt)
  return {
    origin: describe(start),
    origin_lat: toDegrees(origin.latitude),
    origin_lon: toDegrees(origin.longitude),
    destination: destination ? describe(end) : '',
    destination_lat: destination && toDegrees(destination.latitude),
    destination_lon: destination && toDegrees(destination.longitude),
  }
}

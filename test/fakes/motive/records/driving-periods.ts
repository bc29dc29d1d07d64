import { DAY } from '../../world/calendar.ts'
import type { Trip } from '../../world/truth.ts'
import type { Asked, Period } from '../asked.ts'
import { pageOf } from '../pages.ts'
import { describe, placeAt } from '../places/fixes.ts'
import { badRequest } from '../refusal.ts'
import { toDriverSummary, toVehicleSummary } from '../roster/people.ts'
import { rounded, secondOf, toDegrees, toKilometers, toTime } from '../wording.ts'

const MOST_DAYS = 30
const METERS_IN_MILE = 1609.344
const WITHOUT_ODOMETER = 7

/** `/v1/driving_periods`: of at most thirty days. */
export function listDrivingPeriods(asked: Asked): object {
  const period = asked.period(asked.zone)
  const isWhole = asked.query.has('start_date') && asked.query.has('end_date')
  if (!isWhole) throw badRequest('start_date and end_date are required')
  // A day more is let pass where clocks went back.
  const isTooLong = period.to - period.from > MOST_DAYS * DAY + DAY / 24
  if (isTooLong && asked.is('drivingWindow', '30_days')) throw badRequest('Date range exceeds 30 days')
  const trips = asked.company
    .trips()
    .filter((trip) => isWanted(asked, trip, period))
    .toSorted((one, other) => one.startedAt - other.startedAt || one.number - other.number)
  return pageOf(asked, { list: 'driving_periods', item: 'driving_period' }, trips, (trip) =>
    toPeriod(asked, trip),
  )
}

function isWanted(asked: Asked, trip: Trip, { from, to }: Period): boolean {
  const [vehicles, drivers] = [asked.ids('vehicle', 'vehicle_ids'), asked.ids('user', 'driver_ids')]
  const isAssigned = asked.query.get('assigned_to_driver')
  if (vehicles && !vehicles.has(trip.vehicle)) return false
  if (drivers && (trip.driver === null || !drivers.has(trip.driver))) return false
  if (isAssigned !== null && (trip.driver !== null) !== (isAssigned === 'true')) return false
  if (asked.is('happeningsChanged', 'honoured') && !asked.isChanged(trip.updatedAt)) return false
  if (trip.endedAt === null && asked.is('drivingRuns', 'left_out')) return false
  const lastsUntil = asked.is('drivingMatch', 'begun') ? trip.startedAt : (trip.endedAt ?? Infinity)
  return lastsUntil >= from && trip.startedAt < to
}

/** The gateway did not always read an odometer. */
export const hasOdometer = (asked: Asked, { number }: Trip): boolean =>
  asked.is('drivingOdometers', 'told') || number % WITHOUT_ODOMETER !== 0

export const startKilometers = (asked: Asked, trip: Trip): number =>
  told(asked, toKilometers(trip.startOdometerMeters))

export const endKilometers = (asked: Asked, trip: Trip): number =>
  told(asked, toKilometers(trip.startOdometerMeters + trip.meters))

const told = (asked: Asked, kilometers: number): number =>
  asked.is('drivingKilometers', 'fractions') ? kilometers : Math.round(kilometers)

/** Exactly from the second of its start to that of its end; so far, while it runs. */
const secondsOf = (asked: Asked, { startedAt, endedAt }: Trip): number =>
  (secondOf(endedAt ?? asked.company.now) - secondOf(startedAt)) / 1000

function toPeriod(asked: Asked, trip: Trip): object {
  const vehicle = asked.company.vehicle(trip.vehicle)
  const runs = trip.endedAt === null
  const isRead = hasOdometer(asked, trip)
  return {
    id: trip.number,
    start_time: toTime(trip.startedAt),
    end_time: trip.endedAt === null ? null : toTime(trip.endedAt),
    status: runs ? 'in_progress' : 'complete',
    type: 'driving',
    annotation_status: null,
    notes: null,
    duration: secondsOf(asked, trip),
    start_kilometers: isRead ? startKilometers(asked, trip) : null,
    end_kilometers: isRead && !runs ? endKilometers(asked, trip) : null,
    source: 1,
    driver: toDriverSummary(asked.company.driver(trip.driver)),
    vehicle: vehicle && toVehicleSummary(asked, vehicle),
    distance: runs ? null : `${rounded(trip.meters / METERS_IN_MILE, 1)} mi`,
    ...(asked.is('drivingEnds', 'told') && endsOf(asked, trip)),
  }
}

function endsOf(asked: Asked, { start, end, startedAt, endedAt }: Trip) {
  const origin = placeAt(asked, start, startedAt)
  const destination = endedAt === null ? null : placeAt(asked, end, endedAt)
  return {
    origin: describe(start),
    origin_lat: toDegrees(origin.latitude),
    origin_lon: toDegrees(origin.longitude),
    destination: destination ? describe(end) : '',
    destination_lat: destination && toDegrees(destination.latitude),
    destination_lon: destination && toDegrees(destination.longitude),
  }
}

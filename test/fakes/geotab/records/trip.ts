import type { Ms, Trip } from '../../world/truth.ts'
import { type EntityVersion } from '../stores/version-log.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import { DAY, HOUR, MINUTE } from '../times.ts'
import {
  dateTime,
  deviceId,
  type Entity,
  FOREVER,
  idOfVersion,
  kilometers,
  kilometersPerHour,
  rounded,
  timespan,
  versionText,
} from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { reportedPoint } from '../fleet/odd-places.ts'
import { oddTripVersions } from '../fleet/odd-trips.ts'

/** Older trips do not change, unless the next trip starts even later. */
const MAX_AGE_OF_CHANGES = 10 * DAY

export const windowStart = ({ world }: Fleet, since: Ms): Ms =>
  Math.max(world.startsAt, since - MAX_AGE_OF_CHANGES)

/** Interval at which a running trip gets a new version. */
const RUNNING_TRIP_INTERVAL = 10 * MINUTE

export function tripVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  return fleet.vehicleNumbers().flatMap((vehicle) =>
    tripsOf(fleet, vehicle, windowStart(fleet, since), until + 1).flatMap((reported) => {
      const { trip, next, deletedAt } = reported
      const toEntity = (version: number): Entity => ({
        ...toTrip(fleet, reported, version),
        ...(deletedAt === null ? {} : { deletedDateTime: dateTime(deletedAt) }),
      })
      const times = [...versionTimesOf(trip, next), ...(deletedAt === null ? [] : [deletedAt])]
      const searchFields = { device: deviceId(vehicle), at: stopTimeOf(trip) }
      return [
        ...versionsAt(times, since, until, `${vehicle}:${trip.startedAt}`, toEntity, searchFields),
        ...oddTripVersions(fleet, reported, since, until),
      ]
    }),
  )
}

/** Returns when a trip was deleted, or null. */
function deletionOf({ switches, world }: Fleet, trip: Trip): Ms | null {
  if (switches.tripDeletion === 'never' || trip.endedAt === null || trip.number % 7 !== 3) return null
  const at = endArrivalOf(trip) + 5 * HOUR
  return at <= world.now ? at : null
}

export interface ReportedTrip {
  readonly trip: Trip
  /** Next trip, if it has started and updates this one. */
  readonly next: Trip | null
  readonly deletedAt: Ms | null
  /** Engine hours at the end of the trip. */
  readonly engineMilliseconds: number
}

/** Returns the trips that the provider reports. */
export function tripsOf(fleet: Fleet, vehicle: number, from: Ms, to: Ms): ReportedTrip[] {
  const { world, switches } = fleet
  const trips = world.trips(vehicle, from, world.now + 1)
  const nextOf = (index: number) => (switches.nextTrip === 'updates' ? (trips[index + 1] ?? null) : null)
  const start = trips[0]?.startedAt ?? from
  let engineMilliseconds = world.fixes(vehicle, start, start + 1)[0]?.engineRunMilliseconds ?? 0
  return trips
    .map((trip, index) => {
      engineMilliseconds += stopTimeOf(trip) - trip.startedAt
      return { trip, next: nextOf(index), deletedAt: deletionOf(fleet, trip), engineMilliseconds }
    })
    .filter(({ trip }) => trip.startedAt < to)
    .filter(({ trip }) => trip.endedAt !== null || switches.runningTrips === 'shown')
}

function versionTimesOf(trip: Trip, next: Trip | null): Ms[] {
  const nextTimes = next ? [next.arrivedAt] : []
  if (trip.endedAt !== null)
    return [endArrivalOf(trip), trip.updatedAt, ...nextTimes.map((at) => Math.max(at, endArrivalOf(trip)))]
  const running: Ms[] = []
  for (let at = trip.arrivedAt; at <= trip.updatedAt; at += RUNNING_TRIP_INTERVAL) running.push(at)
  return [...running, ...nextTimes]
}

/** Returns when the end of a trip arrives: with the delay of its start, or together with it. */
export function endArrivalOf({ startedAt, endedAt, arrivedAt }: Trip): Ms {
  return endedAt === null || arrivedAt >= endedAt ? arrivedAt : endedAt + arrivedAt - startedAt
}

/** Returns when a trip stops; for a running trip, the time of its last position. */
export const stopTimeOf = ({ startedAt, drivingMilliseconds, idlingMilliseconds }: Trip): Ms =>
  startedAt + drivingMilliseconds + idlingMilliseconds

/** Returns the idling after the stop, which ends with the next trip at the latest. */
export function idlingOf(trip: Trip, next: Trip | null): number {
  return next ? Math.min(trip.idlingMilliseconds, next.startedAt - stopTimeOf(trip)) : trip.idlingMilliseconds
}

export function toTrip(
  fleet: Fleet,
  { trip, next, engineMilliseconds }: ReportedTrip,
  version: number,
): Entity {
  const stop = stopTimeOf(trip)
  const hours = (stop - trip.startedAt) / 3_600_000
  const stopDuration = timespan(next ? next.startedAt - stop : 0)
  const distance = distanceOf(fleet, trip)
  return {
    ...workOf(distance, timespan(stop - trip.startedAt), stopDuration),
    ...(trip.meters > 0 ? { averageSpeed: rounded(trip.meters / 1000 / hours, 4) } : {}),
    distance,
    drivingDuration: timespan(stop - trip.startedAt),
    engineHours: engineMilliseconds / 1000,
    idlingDuration: timespan(idlingOf(trip, next)),
    isSeatBeltOff: false,
    maximumSpeed: Math.round(kilometersPerHour(trip.maxMetersPerSecond)),
    nextTripStart: next ? dateTime(next.startedAt) : FOREVER,
    odometer: trip.startOdometerMeters + trip.meters,
    start: dateTime(trip.startedAt),
    stop: dateTime(stop),
    stopDuration,
    stopPoint: reportedPoint(fleet, trip.number, trip.end),
    device: deviceReference(trip.vehicle),
    driver: fleet.driverReference(trip.driver),
    version: versionText(version),
    id: idOfVersion(version),
  }
}

const distanceOf = ({ switches }: Fleet, { meters }: Trip): number =>
  switches.tripDistance === 'kilometers' ? kilometers(meters) : meters

/** Returns the fields for work and other hours. All trips are within working hours. */
const workOf = (distance: number, driving: string, stop: string) => ({
  afterHoursDistance: 0,
  afterHoursDrivingDuration: '00:00:00',
  afterHoursEnd: false,
  afterHoursStart: false,
  afterHoursStopDuration: '00:00:00',
  workDistance: distance,
  workDrivingDuration: driving,
  workStopDuration: stop,
  ...Object.fromEntries(
    [1, 2, 3].flatMap((range) => [
      [`speedRange${range}`, 0],
      [`speedRange${range}Duration`, '00:00:00'],
    ]),
  ),
})

import type { Ms, Trip } from '../../world/truth.ts'
import { type Emission } from '../ledger/ledger.ts'
import { emissionsAt } from '../ledger/timed-record-store.ts'
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
import { oddTripEmissions } from '../fleet/odd-trips.ts'

/** Older trips no longer change, except one whose successor starts even later. */
const LATEST_CHANGE = 10 * DAY

export const windowStart = ({ world }: Fleet, since: Ms): Ms =>
  Math.max(world.startsAt, since - LATEST_CHANGE)

/** Interval at which a running trip appears again. */
const RETOLD_EVERY = 10 * MINUTE

export function tripEmissions(fleet: Fleet, since: Ms, until: Ms): Emission[] {
  return fleet.vehicleNumbers().flatMap((vehicle) =>
    tripsOf(fleet, vehicle, windowStart(fleet, since), until + 1).flatMap((reported) => {
      const { trip, next, deletedAt } = reported
      const toEntity = (version: number): Entity => ({
        ...toTrip(fleet, reported, version),
        ...(deletedAt === null ? {} : { deletedDateTime: dateTime(deletedAt) }),
      })
      const moments = [...momentsOf(trip, next), ...(deletedAt === null ? [] : [deletedAt])]
      const about = { device: deviceId(vehicle), at: stopOf(trip) }
      return [
        ...emissionsAt(moments, since, until, `${vehicle}:${trip.startedAt}`, toEntity, about),
        ...oddTripEmissions(fleet, reported, since, until),
      ]
    }),
  )
}

/** Returns the time of a trip's deletion, or null if it is not deleted by now. */
function deletionOf({ switches, world }: Fleet, trip: Trip): Ms | null {
  if (switches.tripDeletion === 'never' || trip.endedAt === null || trip.number % 7 !== 3) return null
  const at = completedAt(trip) + 5 * HOUR
  return at <= world.now ? at : null
}

export interface ReportedTrip {
  readonly trip: Trip
  /** Next trip, if it has started and trips refer to it. */
  readonly next: Trip | null
  readonly deletedAt: Ms | null
  /** Engine time at the end of the trip, over the reported trips. */
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
      engineMilliseconds += stopOf(trip) - trip.startedAt
      return { trip, next: nextOf(index), deletedAt: deletionOf(fleet, trip), engineMilliseconds }
    })
    .filter(({ trip }) => trip.startedAt < to)
    .filter(({ trip }) => trip.endedAt !== null || switches.runningTrips === 'shown')
}

function momentsOf(trip: Trip, next: Trip | null): Ms[] {
  const known = next ? [next.arrivedAt] : []
  if (trip.endedAt !== null)
    return [completedAt(trip), trip.updatedAt, ...known.map((at) => Math.max(at, completedAt(trip)))]
  const running: Ms[] = []
  for (let at = trip.arrivedAt; at <= trip.updatedAt; at += RETOLD_EVERY) running.push(at)
  return [...running, ...known]
}

/** Returns the arrival of a trip's end: with the same delay as its start, or all at once. */
export function completedAt({ startedAt, endedAt, arrivedAt }: Trip): Ms {
  return endedAt === null || arrivedAt >= endedAt ? arrivedAt : endedAt + arrivedAt - startedAt
}

/** Returns the stop; for a running trip the current position. */
export const stopOf = ({ startedAt, drivingMilliseconds, idlingMilliseconds }: Trip): Ms =>
  startedAt + drivingMilliseconds + idlingMilliseconds

/** Returns the idling at the stop, which is never longer than the stop. */
export function idlingOf(trip: Trip, next: Trip | null): number {
  return next ? Math.min(trip.idlingMilliseconds, next.startedAt - stopOf(trip)) : trip.idlingMilliseconds
}

export function toTrip(
  fleet: Fleet,
  { trip, next, engineMilliseconds }: ReportedTrip,
  version: number,
): Entity {
  const stop = stopOf(trip)
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

/** Every trip is within working hours. */
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

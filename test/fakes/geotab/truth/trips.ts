import type { Ms, Place, Trip } from '../../world/truth.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { hasInvalidPosition } from '../fleet/odd-places.ts'
import { stopTimeOf, tripsOf } from '../records/trip.ts'
import { dateTime, degrees, deviceId, rounded, userId } from '../formats.ts'

/** A trip's id changes, so its key is the device with the start. */
export const trips = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet
    .vehicleNumbers()
    .flatMap((vehicle) => tripsOf(fleet, vehicle, from, to))
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ trip }) => toTrip(fleet, trip))

function toTrip(fleet: Fleet, trip: Trip) {
  const vehicleSourceId = deviceId(trip.vehicle)
  return {
    sourceId: `${vehicleSourceId}:${dateTime(trip.startedAt)}`,
    vehicleSourceId,
    driverSourceId: driverOf(trip.driver),
    startedAt: trip.startedAt,
    endedAt: stopTimeOf(trip),
    startLocation: pointOf(trip.start),
    endLocation: hasInvalidPosition(fleet, trip.number) ? null : pointOf(trip.end),
    distanceKilometers: rounded(trip.meters / 1000, 3),
    durationMilliseconds: stopTimeOf(trip) - trip.startedAt,
  }
}

export const driverOf = (driver: number | null): string | null => (driver === null ? null : userId(driver))

export const pointOf = ({ latitude, longitude }: Place) => ({
  longitude: degrees(longitude),
  latitude: degrees(latitude),
})

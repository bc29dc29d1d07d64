import type { z } from 'zod'
import { secondsToMilliseconds } from '../../../domain/units.ts'
import type { NormalizedTrailerLocation } from '../../../domain/models/trailer-location.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import type { NormalizedLatestLocation, NormalizedLocation } from '../../../domain/models/vehicle-location.ts'
import type * as records from '../schemas/travel.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { keyOf, milesToSpeed, toKilometers, toPlace, toPoint } from './conversions.ts'

export const toTrip = ({ trip, details }: z.infer<typeof records.trip>): NormalizedTrip => ({
  sourceId: keyOf(trip.asset.id, trip.tripStartTime),
  vehicleSourceId: trip.asset.id,
  driverSourceId: driverOf(details?.driverId),
  startedAt: trip.tripStartTime,
  endedAt: trip.tripEndTime,
  startLocation: toPlace(trip.startLocation),
  endLocation: toPlace(trip.endLocation),
  distanceKilometers: toKilometers(details?.distanceMeters),
  durationMilliseconds: trip.tripEndTime - trip.tripStartTime,
})

const driverOf = (id: string | null | undefined): string | null => (id == null || id === '0' ? null : id)

type Gps = z.infer<typeof records.location>['gps']

const gpsFieldsOf = (gps: Gps) => ({
  locatedAt: gps.time,
  location: toPoint(gps),
  address: gps.reverseGeo?.formattedLocation ?? null,
  headingDegrees: gps.headingDegrees,
  speedKph: milesToSpeed(gps.speedMilesPerHour),
})

/** Maps a location. Samsara does not name its driver. */
export const toLocation = ({ vehicle, gps }: z.infer<typeof records.location>): NormalizedLocation => ({
  vehicleSourceId: vehicle.id,
  driverSourceId: null,
  ...gpsFieldsOf(gps),
})

export const toTrailerLocation = ({
  id,
  gps,
}: z.infer<typeof records.trailerLocation>): NormalizedTrailerLocation => ({
  trailerSourceId: id,
  ...gpsFieldsOf(gps),
})

export const engineStatesOf = (field: `${string}.${string}`) =>
  createEnumMapping<'on' | 'off' | 'idle'>('samsara', field, { On: 'on', Off: 'off', Idle: 'idle' })

const states = engineStatesOf('LatestVehicleLocation.engineState')

/** Maps the latest location. Prefers the engine odometer; the GPS odometer is the fallback. */
export function toLatestLocation({ first, more }: z.infer<typeof records.latest>): NormalizedLatestLocation {
  const meters = first.obdOdometerMeters ?? more?.gpsOdometerMeters
  const seconds = more?.obdEngineSeconds?.value
  return {
    ...toLocation({ vehicle: first, gps: first.gps }),
    odometerKilometers: toKilometers(meters?.value),
    fuelPrimaryPercentage: more?.fuelPercent?.value ?? null,
    fuelSecondaryPercentage: null,
    engineState: states.orNull(first.engineState?.value),
    engineRuntimeMilliseconds: seconds == null ? null : secondsToMilliseconds(seconds),
  }
}

import type { z } from 'zod'
import type { NormalizedTrailerLocation } from '../../../domain/models/trailer-location.ts'
import type { NormalizedLatestLocation, NormalizedLocation } from '../../../domain/models/vehicle-location.ts'
import type { NormalizedStatLog, StatType } from '../../../domain/models/vehicle-stat-log.ts'
import type * as records from '../schemas/locations.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { hoursToDuration, toHundredths, toKilometers, toSpeed } from './conversions.ts'

type Located = z.infer<typeof records.located>

export const toLocation = ({ vehicleId, isMetric, location }: Located): NormalizedLocation => ({
  vehicleSourceId: vehicleId,
  sourceId: location.id ?? null,
  driverSourceId: location.driver,
  locatedAt: location.located_at,
  location: { longitude: location.lon, latitude: location.lat },
  address: location.description,
  headingDegrees: location.bearing,
  speedKph: toSpeed(location.speed, isMetric),
})

/**
 * Engine states by the type of a location, which is why the gateway sent it. Other types do not show the
 * engine state.
 */
const engineStatesOf = (field: `${string}.${string}`) =>
  createEnumMapping<'on' | 'off' | 'idle'>('motive', field, {
    breadcrumb: 'on',
    vehicle_moving: 'on',
    engine_start: 'on',
    vehicle_stopped: 'idle',
    engine_stop: 'off',
  })

const loggedStates = engineStatesOf('VehicleStatLog.state')
const latestStates = engineStatesOf('LatestVehicleLocation.engineState')

/** Prefers the dashboard's odometer (`true_odometer`), because the gateway's own count can be far from it. */
const odometerOf = ({ isMetric, location }: Located) =>
  toKilometers(location.true_odometer ?? location.odometer, isMetric)

const engineTimeOf = ({ location }: Located) =>
  hoursToDuration(location.true_engine_hours ?? location.engine_hours)

export function toLatestLocation({
  vehicle,
  isMetric,
}: z.infer<typeof records.latest>): NormalizedLatestLocation {
  const { id: vehicleId, current_location: location, current_driver: driver } = vehicle
  const located = { vehicleId, isMetric, location }
  return {
    ...toLocation(located),
    driverSourceId: location.driver ?? driver,
    odometerKilometers: odometerOf(located),
    fuelPrimaryPercentage: toHundredths(location.fuel_primary_remaining_percentage),
    fuelSecondaryPercentage: toHundredths(location.fuel_secondary_remaining_percentage),
    engineState: latestStates.orNull(location.type),
    engineRuntimeMilliseconds: engineTimeOf(located),
  }
}

/** Measurements of a location. Motive's field `fuel` is the total consumption, so it is not the fuel level. */
const measures: Readonly<Partial<Record<StatType, (located: Located) => number | null>>> = {
  odometer: odometerOf,
  engine_runtime: engineTimeOf,
  fuel_level: ({ location }) => toHundredths(location.fuel_primary_remaining_percentage),
}

export const measuredTypes: readonly StatType[] = ['engine_state', 'odometer', 'fuel_level', 'engine_runtime']

export function toStatLog({ type, ...located }: z.infer<typeof records.measured>): NormalizedStatLog {
  const { vehicleId, location } = located
  const shared = { vehicleSourceId: vehicleId, timestamp: location.located_at, sourceId: null }
  if (type === 'engine_state')
    return { ...shared, type, value: null, state: loggedStates.orThrow(location.type) }
  const value = measures[type as StatType]?.(located) ?? null
  if (value === null) throw new Error(`the location has no measurement ${type}`)
  return { ...shared, type: type as StatType, value, state: null }
}

/** Returns the types of the measurements in a location. */
export const typesIn = (located: Located): StatType[] =>
  measuredTypes.filter((type) =>
    type === 'engine_state'
      ? loggedStates.orNull(located.location.type) !== null
      : (measures[type]?.(located) ?? null) !== null,
  )

export const toTrailerLocation = ({
  id,
  place,
}: z.infer<typeof records.trailerLocation>): NormalizedTrailerLocation => ({
  trailerSourceId: id,
  locatedAt: place.located_at,
  location: { longitude: place.lon, latitude: place.lat },
  address: place.description,
  headingDegrees: place.bearing,
  speedKph: null,
})

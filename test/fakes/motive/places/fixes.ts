import type { Fix, Ms, Place, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { isMetricVehicle } from '../company.ts'
import { locationId } from '../ids.ts'
import { toDriverSummary, toEldSummary } from '../roster/people.ts'
import {
  toBearing,
  toDegrees,
  toDistance,
  toHours,
  toPercent,
  toSpeed,
  toTime,
  toVolume,
} from '../formats.ts'

const VIRTUAL_OFFSET_METERS = 12_345_000
const VIRTUAL_OFFSET_MILLISECONDS = 90 * 3_600_000
const NO_TRUE_COUNTERS_EVERY = 5
const LITERS_PER_METER = 0.00035

/**
 * Whether a vehicle has no true counters. Motive has two odometers and two counters of engine hours: true ones, read
 * from the vehicle, and virtual ones, which the device counts.
 */
export const lacksTrueCounters = ({ number }: Vehicle): boolean => number % NO_TRUE_COUNTERS_EVERY === 0

/** Returns the virtual odometer. It is far from the true one, so that tests notice a mix. */
export const virtualOdometerMeters = (vehicle: Vehicle, { odometerMeters }: Fix): number =>
  odometerMeters + (lacksTrueCounters(vehicle) ? 0 : VIRTUAL_OFFSET_METERS)

export const virtualEngineMilliseconds = (vehicle: Vehicle, { engineRunMilliseconds }: Fix): number =>
  engineRunMilliseconds + (lacksTrueCounters(vehicle) ? 0 : VIRTUAL_OFFSET_MILLISECONDS)

/** Selects one of n fixes, always the same ones. */
const isEveryNth = (at: Ms, n: number): boolean => Math.floor(at / 1000) % n === 0

/** Whether a fix gets an impossible position, as in published samples. */
export const hasInvalidPosition = (request: FakeRequest, { at }: Fix): boolean =>
  request.is('badPlaces', 'some') && isEveryNth(at, 37)

/** Whether the device had no position at a time. */
export const hasNoPosition = (request: FakeRequest, at: Ms): boolean =>
  request.is('nullIsland', 'now_and_then') && isEveryNth(at, 5)

const NULL_ISLAND = { latitude: 0, longitude: 0 }

/** Returns the position in the response. */
export const placeAt = (request: FakeRequest, place: Place, at: Ms): Place =>
  hasNoPosition(request, at) ? NULL_ISLAND : place

export const hasUnknownLocationType = (request: FakeRequest, { at }: Fix): boolean =>
  request.is('locationTypes', 'new_ones') && isEveryNth(at, 7)

export function locationTypeOf(request: FakeRequest, fix: Fix): string {
  if (hasUnknownLocationType(request, fix)) return 'trailer_coupled'
  if (fix.engine === 'off') return 'engine_stop'
  if (fix.engine === 'idle') return 'vehicle_stopped'
  return isEveryNth(fix.at, 2) ? 'breadcrumb' : 'vehicle_moving'
}

/** Returns the members that a location has in every version. */
export function toLocation(request: FakeRequest, vehicle: Vehicle, fix: Fix) {
  const isMetric = request.isMetric(isMetricVehicle(vehicle.number))
  const place = hasInvalidPosition(request, fix)
    ? { latitude: 123, longitude: 456 }
    : placeAt(request, fix, fix.at)
  return {
    located_at: toTime(fix.at),
    lat: toDegrees(place.latitude),
    lon: toDegrees(place.longitude),
    bearing: toBearing(fix.headingDegrees),
    engine_hours: toHours(virtualEngineMilliseconds(vehicle, fix)),
    type: locationTypeOf(request, fix),
    description: describe(fix),
    speed: toSpeed(fix.metersPerSecond, isMetric),
    odometer: toDistance(virtualOdometerMeters(vehicle, fix), isMetric),
    fuel: toVolume(fix.odometerMeters * LITERS_PER_METER, isMetric),
  }
}

export const describe = ({ latitude, longitude }: Pick<Fix, 'latitude' | 'longitude'>): string =>
  `${latitude.toFixed(3)} N ${(-longitude).toFixed(3)} W`

/** Returns a location of version 3, which has more members. */
export function toFullLocation(request: FakeRequest, vehicle: Vehicle, fix: Fix) {
  const isMetric = request.isMetric(isMetricVehicle(vehicle.number))
  const isElectric = vehicle.fuel === 'electric'
  return {
    id: locationId(vehicle.number, fix.at),
    ...toLocation(request, vehicle, fix),
    battery_voltage: null,
    true_odometer: lacksTrueCounters(vehicle) ? null : toDistance(fix.odometerMeters, isMetric),
    true_engine_hours: lacksTrueCounters(vehicle) ? null : toHours(fix.engineRunMilliseconds),
    fuel_primary_remaining_percentage: isElectric ? null : toPercent(fix.fuel),
    fuel_secondary_remaining_percentage: null,
    hvb_state_of_charge: isElectric ? toPercent(fix.fuel) : null,
    driver: toDriverSummary(request.company.driver(fix.driver)),
    eld_device: toEldSummary(vehicle),
  }
}

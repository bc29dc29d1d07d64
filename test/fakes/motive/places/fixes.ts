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
const WITHOUT_TRUE = 5
const LITERS_PER_METER = 0.00035

/** Returns whether the vehicle has no dashboard reading, and therefore no true counters. */
export const isVirtual = ({ number }: Vehicle): boolean => number % WITHOUT_TRUE === 0

/** Returns the gateway's own count, which differs far from the dashboard's. */
export const virtualMeters = (vehicle: Vehicle, { odometerMeters }: Fix): number =>
  odometerMeters + (isVirtual(vehicle) ? 0 : VIRTUAL_OFFSET_METERS)

export const virtualRun = (vehicle: Vehicle, { engineRunMilliseconds }: Fix): number =>
  engineRunMilliseconds + (isVirtual(vehicle) ? 0 : VIRTUAL_OFFSET_MILLISECONDS)

/** Selects a stable subset of fixes by their time. */
const isOneOf = (at: Ms, every: number): boolean => Math.floor(at / 1000) % every === 0

/** Returns whether a fix gets an invalid position, as in published samples. */
export const isBad = (request: FakeRequest, { at }: Fix): boolean =>
  request.is('badPlaces', 'some') && isOneOf(at, 37)

/** Returns whether the gateway had no position at a time. */
export const isNowhere = (request: FakeRequest, at: Ms): boolean =>
  request.is('nullIsland', 'now_and_then') && isOneOf(at, 5)

const NULL_ISLAND = { latitude: 0, longitude: 0 }

/** Returns a position as the response shows it. */
export const placeAt = (request: FakeRequest, place: Place, at: Ms): Place =>
  isNowhere(request, at) ? NULL_ISLAND : place

export const isNewWord = (request: FakeRequest, { at }: Fix): boolean =>
  request.is('locationTypes', 'new_ones') && isOneOf(at, 7)

export function typeOf(request: FakeRequest, fix: Fix): string {
  if (isNewWord(request, fix)) return 'trailer_coupled'
  if (fix.engine === 'off') return 'engine_stop'
  if (fix.engine === 'idle') return 'vehicle_stopped'
  return isOneOf(fix.at, 2) ? 'breadcrumb' : 'vehicle_moving'
}

/** Members of a location in every version. */
export function toLocation(request: FakeRequest, vehicle: Vehicle, fix: Fix) {
  const isMetric = request.isMetric(isMetricVehicle(vehicle.number))
  const place = isBad(request, fix) ? { latitude: 123, longitude: 456 } : placeAt(request, fix, fix.at)
  return {
    located_at: toTime(fix.at),
    lat: toDegrees(place.latitude),
    lon: toDegrees(place.longitude),
    bearing: toBearing(fix.headingDegrees),
    engine_hours: toHours(virtualRun(vehicle, fix)),
    type: typeOf(request, fix),
    description: describe(fix),
    speed: toSpeed(fix.metersPerSecond, isMetric),
    odometer: toDistance(virtualMeters(vehicle, fix), isMetric),
    fuel: toVolume(fix.odometerMeters * LITERS_PER_METER, isMetric),
  }
}

export const describe = ({ latitude, longitude }: Pick<Fix, 'latitude' | 'longitude'>): string =>
  `${latitude.toFixed(3)} N ${(-longitude).toFixed(3)} W`

/** Additional members of the third version. */
export function toFullLocation(request: FakeRequest, vehicle: Vehicle, fix: Fix) {
  const isMetric = request.isMetric(isMetricVehicle(vehicle.number))
  const isElectric = vehicle.fuel === 'electric'
  return {
    id: locationId(vehicle.number, fix.at),
    ...toLocation(request, vehicle, fix),
    battery_voltage: null,
    true_odometer: isVirtual(vehicle) ? null : toDistance(fix.odometerMeters, isMetric),
    true_engine_hours: isVirtual(vehicle) ? null : toHours(fix.engineRunMilliseconds),
    fuel_primary_remaining_percentage: isElectric ? null : toPercent(fix.fuel),
    fuel_secondary_remaining_percentage: null,
    hvb_state_of_charge: isElectric ? toPercent(fix.fuel) : null,
    driver: toDriverSummary(request.company.driver(fix.driver)),
    eld_device: toEldSummary(vehicle),
  }
}

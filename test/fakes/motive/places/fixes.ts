import type { Fix, Ms, Place, Vehicle } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
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
} from '../wording.ts'

const VIRTUAL_OFFSET_METERS = 12_345_000
const VIRTUAL_OFFSET_MILLISECONDS = 90 * 3_600_000
const WITHOUT_TRUE = 5
const LITERS_PER_METER = 0.00035

/** Nobody entered the reading of the dashboard: there are no true counters. */
export const isVirtual = ({ number }: Vehicle): boolean => number % WITHOUT_TRUE === 0

/** What the gateway counts by itself is far from what the dashboard says. */
export const virtualMeters = (vehicle: Vehicle, { odometerMeters }: Fix): number =>
  odometerMeters + (isVirtual(vehicle) ? 0 : VIRTUAL_OFFSET_METERS)

export const virtualRun = (vehicle: Vehicle, { engineRunMilliseconds }: Fix): number =>
  engineRunMilliseconds + (isVirtual(vehicle) ? 0 : VIRTUAL_OFFSET_MILLISECONDS)

/** Every so often, by a fix's own time, so that it is the same ones every time. */
const isOneOf = (at: Ms, every: number): boolean => Math.floor(at / 1000) % every === 0

/** Published samples show places that cannot be. */
export const isBad = (asked: Asked, { at }: Fix): boolean => asked.is('badPlaces', 'some') && isOneOf(at, 37)

/** At a moment at which its gateway did not know. */
export const isNowhere = (asked: Asked, at: Ms): boolean =>
  asked.is('nullIsland', 'now_and_then') && isOneOf(at, 5)

const NULL_ISLAND = { latitude: 0, longitude: 0 }

/** Where something was at a time, as it is told. */
export const placeAt = (asked: Asked, place: Place, at: Ms): Place =>
  isNowhere(asked, at) ? NULL_ISLAND : place

export const isNewWord = (asked: Asked, { at }: Fix): boolean =>
  asked.is('locationTypes', 'new_ones') && isOneOf(at, 7)

export function typeOf(asked: Asked, fix: Fix): string {
  if (isNewWord(asked, fix)) return 'trailer_coupled'
  if (fix.engine === 'off') return 'engine_stop'
  if (fix.engine === 'idle') return 'vehicle_stopped'
  return isOneOf(fix.at, 2) ? 'breadcrumb' : 'vehicle_moving'
}

/** What every version tells. */
export function toLocation(asked: Asked, vehicle: Vehicle, fix: Fix) {
  const isMetric = asked.isMetric(isMetricVehicle(vehicle.number))
  const place = isBad(asked, fix) ? { latitude: 123, longitude: 456 } : placeAt(asked, fix, fix.at)
  return {
    located_at: toTime(fix.at),
    lat: toDegrees(place.latitude),
    lon: toDegrees(place.longitude),
    bearing: toBearing(fix.headingDegrees),
    engine_hours: toHours(virtualRun(vehicle, fix)),
    type: typeOf(asked, fix),
    description: describe(fix),
    speed: toSpeed(fix.metersPerSecond, isMetric),
    odometer: toDistance(virtualMeters(vehicle, fix), isMetric),
    fuel: toVolume(fix.odometerMeters * LITERS_PER_METER, isMetric),
  }
}

export const describe = ({ latitude, longitude }: Pick<Fix, 'latitude' | 'longitude'>): string =>
  `${latitude.toFixed(3)} N ${(-longitude).toFixed(3)} W`

/** What the third version tells beside it. */
export function toFullLocation(asked: Asked, vehicle: Vehicle, fix: Fix) {
  const isMetric = asked.isMetric(isMetricVehicle(vehicle.number))
  const isElectric = vehicle.fuel === 'electric'
  return {
    id: locationId(vehicle.number, fix.at),
    ...toLocation(asked, vehicle, fix),
    battery_voltage: null,
    true_odometer: isVirtual(vehicle) ? null : toDistance(fix.odometerMeters, isMetric),
    true_engine_hours: isVirtual(vehicle) ? null : toHours(fix.engineRunMilliseconds),
    fuel_primary_remaining_percentage: isElectric ? null : toPercent(fix.fuel),
    fuel_secondary_remaining_percentage: null,
    hvb_state_of_charge: isElectric ? toPercent(fix.fuel) : null,
    driver: toDriverSummary(asked.company.driver(fix.driver)),
    eld_device: toEldSummary(vehicle),
  }
}

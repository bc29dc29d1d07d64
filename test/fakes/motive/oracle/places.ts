import type { Fix, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { isMetricVehicle } from '../company.ts'
import { id, locationId } from '../ids.ts'
import { lastFixOf } from '../places/asset-locations.ts'
import {
  describe,
  hasInvalidPosition,
  hasUnknownLocationType,
  hasNoPosition,
  lacksTrueCounters,
  virtualOdometerMeters,
  virtualEngineMilliseconds,
} from '../places/fixes.ts'
import { secondOf, toBearing, toDegrees, toDistance, toHours, toPercent, toSpeed } from '../formats.ts'
import { type NormalizedRecord, kilometersOf, kphOf, millisecondsOfHours } from './conversions.ts'

const pointOf = ({ latitude, longitude }: Fix) => ({
  longitude: toDegrees(longitude),
  latitude: toDegrees(latitude),
})

const driverOf = ({ company }: FakeRequest, { driver }: Fix): string | null =>
  company.driver(driver) ? String(id('user', driver as number)) : null

function locationOf(request: FakeRequest, { number }: Vehicle, fix: Fix): NormalizedRecord {
  const isMetric = isMetricVehicle(number)
  return {
    vehicleSourceId: String(id('vehicle', number)),
    sourceId: locationId(number, fix.at),
    driverSourceId: driverOf(request, fix),
    locatedAt: secondOf(fix.at),
    location: pointOf(fix),
    address: describe(fix),
    headingDegrees: toBearing(fix.headingDegrees),
    speedKph: kphOf(toSpeed(fix.metersPerSecond, isMetric), isMetric),
  }
}

/** Returns the true counters; if the vehicle lacks them, the virtual ones. */
function countersOf(vehicle: Vehicle, fix: Fix) {
  const isMetric = isMetricVehicle(vehicle.number)
  const meters = lacksTrueCounters(vehicle) ? virtualOdometerMeters(vehicle, fix) : fix.odometerMeters
  const ran = lacksTrueCounters(vehicle) ? virtualEngineMilliseconds(vehicle, fix) : fix.engineRunMilliseconds
  return {
    odometer: kilometersOf(toDistance(meters, isMetric), isMetric),
    engine_runtime: millisecondsOfHours(toHours(ran)),
    fuel_level: vehicle.fuel === 'electric' ? null : toPercent(fix.fuel),
  }
}

/** Returns the engine state of a location type; an unknown type has none. */
const engineOf = (request: FakeRequest, fix: Fix): string | null =>
  hasUnknownLocationType(request, fix) ? null : fix.engine

/** Returns the fixes with a valid position. The others give no record. */
const validFixesOf = (request: FakeRequest, { number }: Vehicle, from: number, to: number): Fix[] =>
  request.company.world
    .fixes(number, from, to)
    .filter((fix) => !hasInvalidPosition(request, fix) && !hasNoPosition(request, fix.at))

export const locations = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.company
    .vehicles()
    .flatMap((vehicle) =>
      validFixesOf(request, vehicle, from, to).map((fix) => locationOf(request, vehicle, fix)),
    )

export const latest = (request: FakeRequest): NormalizedRecord[] =>
  request.company.vehicles().flatMap((vehicle) => {
    const fix = request.company.world.lastFix(vehicle.number)
    if (!fix || hasInvalidPosition(request, fix) || hasNoPosition(request, fix.at)) return []
    const { odometer, engine_runtime, fuel_level } = countersOf(vehicle, fix)
    return {
      ...locationOf(request, vehicle, fix),
      odometerKilometers: odometer,
      fuelPrimaryPercentage: fuel_level,
      fuelSecondaryPercentage: null,
      engineState: engineOf(request, fix),
      engineRuntimeMilliseconds: engine_runtime,
    }
  })

export const stats = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.company
    .vehicles()
    .flatMap((vehicle) =>
      validFixesOf(request, vehicle, from, to).flatMap((fix) => statsOf(request, vehicle, fix)),
    )

function statsOf(request: FakeRequest, vehicle: Vehicle, fix: Fix): NormalizedRecord[] {
  const reported = {
    vehicleSourceId: String(id('vehicle', vehicle.number)),
    timestamp: secondOf(fix.at),
    sourceId: null,
  }
  const state = engineOf(request, fix)
  const measured = Object.entries(countersOf(vehicle, fix)).filter(([, value]) => value !== null)
  return [
    ...(state === null ? [] : [{ ...reported, type: 'engine_state', value: null, state }]),
    ...measured.map(([type, value]) => ({ ...reported, type, value, state: null })),
  ]
}

export const latestTrailers = (request: FakeRequest): NormalizedRecord[] =>
  request.company.trailers().flatMap((trailer) => {
    const fix = lastFixOf(request, trailer)
    if (!fix) return []
    return {
      trailerSourceId: String(id('asset', trailer.number)),
      locatedAt: secondOf(fix.at),
      location: pointOf(fix),
      address: describe(fix),
      headingDegrees: null,
      speedKph: null,
    }
  })

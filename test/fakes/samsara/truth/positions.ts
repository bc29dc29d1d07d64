import type { Fix, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { engineSecondsOf, fuelPercentOf, hasInvalidPosition } from '../stats/types.ts'
import { lastFixOf } from '../stats/trailers.ts'
import { milesToKilometers, toAddress, toFineHeading, toHeading, toMilesPerHour } from '../formats.ts'
import { toKilometers, toPoint, type NormalizedRecord } from './conversions.ts'

const locationOf = (vehicle: Vehicle, fix: Fix): NormalizedRecord => ({
  vehicleSourceId: id('vehicle', vehicle.number),
  driverSourceId: null,
  locatedAt: fix.at,
  location: toPoint(fix),
  address: toAddress(fix),
  headingDegrees: toFineHeading(fix.headingDegrees),
  speedKph: milesToKilometers(toMilesPerHour(fix.metersPerSecond)),
})

const fixesIn = ({ organization }: FakeRequest, vehicle: Vehicle, from: number, to: number) =>
  organization.world.fixes(vehicle.number, from, to)

export const vehicleLocations = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.organization.vehicles().flatMap((vehicle) =>
    fixesIn(request, vehicle, from, to)
      .filter((fix) => !hasInvalidPosition(fix, request.switches))
      .map((fix) => locationOf(vehicle, fix)),
  )

export const latestVehicleLocations = (request: FakeRequest): NormalizedRecord[] =>
  request.organization.vehicles().flatMap((vehicle) => {
    const fix = request.organization.world.lastFix(vehicle.number)
    if (!fix || hasInvalidPosition(fix, request.switches)) return []
    return {
      ...locationOf(vehicle, fix),
      odometerKilometers: toKilometers(Math.round(fix.odometerMeters)),
      fuelPrimaryPercentage: vehicle.fuel === 'electric' ? null : fuelPercentOf(fix.fuel),
      fuelSecondaryPercentage: null,
      engineState: fix.engine,
      engineRuntimeMilliseconds: engineSecondsOf(fix.engineRunMilliseconds) * 1000,
    }
  })

/** Returns four measurements of each fix. The odometer of the engine takes precedence over that of GPS. */
export const vehicleStatLogs = (request: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  request.organization
    .vehicles()
    .flatMap((vehicle) => fixesIn(request, vehicle, from, to).flatMap((fix) => statsOf(vehicle, fix)))

function statsOf(vehicle: Vehicle, fix: Fix): NormalizedRecord[] {
  const reported = { vehicleSourceId: id('vehicle', vehicle.number), timestamp: fix.at, sourceId: null }
  const measured = (type: string, value: number) => ({ ...reported, type, value, state: null })
  return [
    { ...reported, type: 'engine_state', value: null, state: fix.engine },
    measured('odometer', toKilometers(Math.round(fix.odometerMeters))),
    measured('engine_runtime', engineSecondsOf(fix.engineRunMilliseconds) * 1000),
    ...(vehicle.fuel === 'electric' ? [] : [measured('fuel_level', fuelPercentOf(fix.fuel))]),
  ]
}

export const latestTrailerLocations = (request: FakeRequest): NormalizedRecord[] =>
  request.organization.trailers().flatMap(({ number }) => {
    const fix = lastFixOf(request, number)
    if (!fix) return []
    return {
      trailerSourceId: id('trailer', number),
      locatedAt: fix.at,
      location: toPoint(fix),
      address: toAddress(fix),
      headingDegrees: toHeading(fix.headingDegrees),
      speedKph: milesToKilometers(Math.round(toMilesPerHour(fix.metersPerSecond))),
    }
  })

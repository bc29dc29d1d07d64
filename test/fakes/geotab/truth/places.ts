import type { Fix, Ms, Vehicle } from '../../world/truth.ts'
import { hasNoSpeed, isDriving } from '../records/device-status-info.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { speedOf } from '../records/log-record.ts'
import { isAdjusted, readingsAt } from '../records/status-data.ts'
import { deviceId, rounded } from '../formats.ts'
import { driverOf, pointOf } from './trips.ts'

/** A log record has neither driver nor heading. */
export const vehicleLocations = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.vehicleNumbers().flatMap((vehicle) =>
    fleet.pointsOf(vehicle, from, to).map((point) => ({
      vehicleSourceId: deviceId(vehicle),
      driverSourceId: null,
      locatedAt: point.at,
      location: pointOf(point),
      address: null,
      headingDegrees: null,
      speedKph: speedOf(point),
    })),
  )

/** In the order of `readings`. */
const stats: readonly ((fix: Fix) => object)[] = [
  (fix) => ({ type: 'odometer', value: odometerOf(fix), state: null }),
  (fix) => ({ type: 'engine_runtime', value: fix.engineRunMilliseconds, state: null }),
  (fix) => ({ type: 'engine_state', value: null, state: fix.engine === 'off' ? 'off' : 'on' }),
  (fix) => ({ type: 'fuel_level', value: rounded(fix.fuel * 100, 2), state: null }),
]

/** Returns kilometers. Devices report hundreds of meters. */
const odometerOf = ({ odometerMeters }: Fix): number => Math.round(odometerMeters / 100) / 10

export const vehicleStatLogs = (fleet: Fleet, from: Ms, to: Ms) =>
  fleet.vehicleNumbers().flatMap((vehicle) =>
    fleet.pointsOf(vehicle, from, to).flatMap((point) =>
      readingsAt(point, fleet.fuelOf(vehicle)).map((reading) => ({
        vehicleSourceId: deviceId(vehicle),
        timestamp: point.at,
        sourceId: null,
        ...stats[reading]?.(point.fix as Fix),
      })),
    ),
  )

export const latestVehicleLocations = (fleet: Fleet) =>
  fleet.vehicles().flatMap((vehicle) => {
    const fix = vehicle.removedAt === null ? fleet.world.lastFix(vehicle.number) : null
    return fix ? [toLatest(fleet, vehicle, fix)] : []
  })

const ADJUSTED_KILOMETERS = 12_000
const ADJUSTED_MILLISECONDS = 360_000_000

function toLatest(fleet: Fleet, { number, fuel }: Vehicle, fix: Fix) {
  const isMeasured = fleet.switches.statusDataInInfo === 'present'
  return {
    vehicleSourceId: deviceId(number),
    driverSourceId: driverOf(fix.driver),
    locatedAt: fix.at,
    location: pointOf(fix),
    address: null,
    headingDegrees: Math.round(fix.headingDegrees) % 360,
    speedKph: hasNoSpeed(fleet, number, fix) ? null : speedOf(fix),
    odometerKilometers: isMeasured
      ? odometerOf(fix) + (isAdjusted(fleet, number) ? ADJUSTED_KILOMETERS : 0)
      : null,
    fuelPrimaryPercentage: isMeasured && fuel !== 'electric' ? rounded(fix.fuel * 100, 2) : null,
    fuelSecondaryPercentage: null,
    engineState: isDriving(fix) ? 'on' : 'off',
    engineRuntimeMilliseconds: isMeasured
      ? fix.engineRunMilliseconds + (isAdjusted(fleet, number) ? ADJUSTED_MILLISECONDS : 0)
      : null,
  }
}

import type { Fix, Vehicle } from '../../world/truth.ts'
import type { Asked } from '../asked.ts'
import { isMetricVehicle } from '../company.ts'
import { id, locationId } from '../ids.ts'
import { lastFixOf } from '../places/asset-locations.ts'
import {
  describe,
  isBad,
  isNewWord,
  isNowhere,
  isVirtual,
  virtualMeters,
  virtualRun,
} from '../places/fixes.ts'
import { secondOf, toBearing, toDegrees, toDistance, toHours, toPercent, toSpeed } from '../wording.ts'
import { type Draft, kilometersOf, kphOf, millisecondsOfHours } from './words.ts'

const pointOf = ({ latitude, longitude }: Fix) => ({
  longitude: toDegrees(longitude),
  latitude: toDegrees(latitude),
})

/** Whoever has left is still named. */
const driverOf = ({ company }: Asked, { driver }: Fix): string | null =>
  company.driver(driver) ? String(id('user', driver as number)) : null

function locationOf(asked: Asked, { number }: Vehicle, fix: Fix): Draft {
  const isMetric = isMetricVehicle(number)
  return {
    vehicleSourceId: String(id('vehicle', number)),
    sourceId: locationId(number, fix.at),
    driverSourceId: driverOf(asked, fix),
    locatedAt: secondOf(fix.at),
    location: pointOf(fix),
    address: describe(fix),
    headingDegrees: toBearing(fix.headingDegrees),
    speedKph: kphOf(toSpeed(fix.metersPerSecond, isMetric), isMetric),
  }
}

/** The true counters where there are any, or else the virtual ones: never both. */
function countersOf(vehicle: Vehicle, fix: Fix) {
  const isMetric = isMetricVehicle(vehicle.number)
  const meters = isVirtual(vehicle) ? virtualMeters(vehicle, fix) : fix.odometerMeters
  const ran = isVirtual(vehicle) ? virtualRun(vehicle, fix) : fix.engineRunMilliseconds
  return {
    odometer: kilometersOf(toDistance(meters, isMetric), isMetric),
    engine_runtime: millisecondsOfHours(toHours(ran)),
    fuel_level: vehicle.fuel === 'electric' ? null : toPercent(fix.fuel),
  }
}

/** By the type of a location; a new word says nothing of the engine. */
const engineOf = (asked: Asked, fix: Fix): string | null => (isNewWord(asked, fix) ? null : fix.engine)

/** A location of which the place cannot be is no record at all. */
const goodOf = (asked: Asked, { number }: Vehicle, from: number, to: number): Fix[] =>
  asked.company.world.fixes(number, from, to).filter((fix) => !isBad(asked, fix) && !isNowhere(asked, fix.at))

export const locations = (asked: Asked, from: number, to: number): Draft[] =>
  asked.company
    .vehicles()
    .flatMap((vehicle) => goodOf(asked, vehicle, from, to).map((fix) => locationOf(asked, vehicle, fix)))

export const latest = (asked: Asked): Draft[] =>
  asked.company.vehicles().flatMap((vehicle) => {
    const fix = asked.company.world.lastFix(vehicle.number)
    if (!fix || isBad(asked, fix) || isNowhere(asked, fix.at)) return []
    const { odometer, engine_runtime, fuel_level } = countersOf(vehicle, fix)
    return {
      ...locationOf(asked, vehicle, fix),
      odometerKilometers: odometer,
      fuelPrimaryPercentage: fuel_level,
      fuelSecondaryPercentage: null,
      engineState: engineOf(asked, fix),
      engineRuntimeMilliseconds: engine_runtime,
    }
  })

export const stats = (asked: Asked, from: number, to: number): Draft[] =>
  asked.company
    .vehicles()
    .flatMap((vehicle) => goodOf(asked, vehicle, from, to).flatMap((fix) => statsOf(asked, vehicle, fix)))

function statsOf(asked: Asked, vehicle: Vehicle, fix: Fix): Draft[] {
  const told = {
    vehicleSourceId: String(id('vehicle', vehicle.number)),
    timestamp: secondOf(fix.at),
    sourceId: null,
  }
  const state = engineOf(asked, fix)
  const measured = Object.entries(countersOf(vehicle, fix)).filter(([, value]) => value !== null)
  return [
    ...(state === null ? [] : [{ ...told, type: 'engine_state', value: null, state }]),
    ...measured.map(([type, value]) => ({ ...told, type, value, state: null })),
  ]
}

export const latestTrailers = (asked: Asked): Draft[] =>
  asked.company.trailers().flatMap((trailer) => {
    const fix = lastFixOf(asked, trailer)
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

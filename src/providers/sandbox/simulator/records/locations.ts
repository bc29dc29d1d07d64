import { type EngineState, engineMsAt, engineStateAt, fuelPercentAt } from '../world/engine.ts'
import { driverOf, type Fleet, vehicleIsSilent } from '../world/fleet.ts'
import { rounded } from '../world/road-network/geometry.ts'
import { type Motion, motionAt, type Position, positionAfter, motionPeriodAt } from '../world/motion.ts'
import { MINUTE_MS } from '../world/durations.ts'
import { between, dice } from '../world/random.ts'
import { legAt, type TimedLeg, type VehicleRoute, vehicleRouteOf } from '../world/vehicle-route.ts'
import { idOf, timestamp } from './ids.ts'
import { vehicleModelOf, vehicleYearOf } from './vehicles.ts'
import type { World } from './world.ts'

const MOVING_SAMPLE_MS = 5_000
const STOPPED_SAMPLE_MS = 5 * MINUTE_MS
/** Mean engine runtime per mile before the start of the world. */
const ENGINE_SECONDS_PER_MILE = 75

export interface Breadcrumb {
  vehicleId: string
  driverId: string | null
  time: string
  lat: number
  lng: number
  heading: number
  speedMph: number
  /** For example `I-40 near Amarillo, TX`. */
  address: string | null
}

export interface LocationRecord extends Breadcrumb {
  odometerMiles: number
  fuelPercent: number
  engineState: EngineState
  engineSeconds: number
  address: string
}

const unassignedDice = dice('leg without a driver')
const odometerDice = dice('odometer of a vehicle')

/** Returns the location of a vehicle at its last sample; undefined if it never reports or was removed. */
export function locationRecord({ fleet, edits, nowMs }: World, vehicle: number): LocationRecord | undefined {
  if (vehicleIsSilent(vehicle) || edits.removedAt('vehicles', vehicle) !== undefined) return undefined
  const route = vehicleRouteOf(fleet, vehicle)
  return locationAt(route, latestSampleMs(route, nowMs))
}

export function locationAt(route: VehicleRoute, timeMs: number): LocationRecord {
  const motion = motionAt(route, timeMs)
  const position = positionAfter(route, motion.miles)
  return {
    ...breadcrumb(route, timeMs, motion, position),
    odometerMiles: odometerMilesAt(route, motion),
    fuelPercent: fuelLevelAt(route, motion, timeMs),
    engineState: engineStateAt(route, motion, timeMs),
    engineSeconds: engineSecondsAt(route, motion, timeMs),
    address: addressOf(route, position),
  }
}

export function odometerMilesAt(route: VehicleRoute, { miles }: Motion): number {
  return rounded(odometerAtStart(route) + miles, 1)
}

/** Returns the level of the tank or the battery in percent. */
export function fuelLevelAt(route: VehicleRoute, motion: Motion, timeMs: number): number {
  return rounded(fuelPercentAt(route, vehicleModelOf(route.fleet, route.vehicle), motion, timeMs), 1)
}

/** Returns the engine runtime since the vehicle was built. */
export function engineSecondsAt(route: VehicleRoute, motion: Motion, timeMs: number): number {
  return Math.floor(
    odometerAtStart(route) * ENGINE_SECONDS_PER_MILE + engineMsAt(route, motion, timeMs) / 1000,
  )
}

/** Returns a breadcrumb, with or without its address. */
export function breadcrumbAt(
  route: VehicleRoute,
  timeMs: number,
  { withAddress }: { readonly withAddress: boolean },
): Breadcrumb {
  const motion = motionAt(route, timeMs)
  const position = positionAfter(route, motion.miles)
  return {
    ...breadcrumb(route, timeMs, motion, position),
    address: withAddress ? addressOf(route, position) : null,
  }
}

const addressOf = ({ corridor }: VehicleRoute, { nearest: { city, state } }: Position): string =>
  `${corridor.name} near ${city}, ${state}`

/**
 * Returns the time of the last sample at or before a time. A vehicle has a sample every 5 seconds of a leg and
 * every 5 minutes of a stop.
 */
export function latestSampleMs(route: VehicleRoute, timeMs: number): number {
  const { moving, startMs } = motionPeriodAt(route, timeMs)
  const step = moving ? MOVING_SAMPLE_MS : STOPPED_SAMPLE_MS
  return startMs + Math.floor((timeMs - startMs) / step) * step
}

/** Returns the driver of a leg. One leg in thirty has no driver logged in. */
export function driverIdOf(fleet: Fleet, vehicle: number, leg: TimedLeg): string | null {
  if (unassignedDice(fleet.seed, vehicle, leg.number) < 1 / 30) return null
  return idOf('drv', fleet, driverOf(fleet, vehicle, leg.leg.shift))
}

function breadcrumb(route: VehicleRoute, timeMs: number, motion: Motion, position: Position) {
  return {
    vehicleId: idOf('veh', route.fleet, route.vehicle),
    driverId: driverIdAt(route, motion),
    time: timestamp(timeMs),
    lat: rounded(position.lat, 6),
    lng: rounded(position.lng, 6),
    heading: Math.floor(position.heading),
    speedMph: rounded(motion.speedMph, 1),
  }
}

/** Returns the driver at a moment. A driver stays logged in during stops, except after the last leg of a day. */
function driverIdAt(route: VehicleRoute, { leg, moving }: Motion): string | null {
  if (!leg) return null
  if (!moving && legAt(route, leg.number + 1).day !== leg.day) return null
  return driverIdOf(route.fleet, route.vehicle, leg)
}

/** Returns the odometer in miles at the start of the world. */
function odometerAtStart({ fleet, vehicle }: VehicleRoute): number {
  const years = 2024 - vehicleYearOf(fleet, vehicle)
  return 500 + years * between(60_000, 110_000, odometerDice(fleet.seed, vehicle))
}

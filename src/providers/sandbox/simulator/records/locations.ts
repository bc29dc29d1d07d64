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

export interface Breadcrumb {
  vehicleId: string
  driverId: string | null
  time: string
  lat: number
  lng: number
  heading: number
  speedMph: number
  /** `I-40 near Amarillo, TX` */
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

/** Where a vehicle was at its last sample; undefined if it never reported or is removed. */
export function locationRecord({ fleet, edits, nowMs }: World, vehicle: number): LocationRecord | undefined {
  if (vehicleIsSilent(vehicle) || edits.removedAt('vehicles', vehicle) !== undefined) return undefined
  const track = vehicleRouteOf(fleet, vehicle)
  return locationAt(track, latestSampleMs(track, nowMs))
}

export function locationAt(track: VehicleRoute, timeMs: number): LocationRecord {
  const motion = motionAt(track, timeMs)
  const position = positionAfter(track, motion.miles)
  return {
    ...breadcrumb(track, timeMs, motion, position),
    odometerMiles: odometerMilesAt(track, motion),
    fuelPercent: fuelLevelAt(track, motion, timeMs),
    engineState: engineStateAt(track, motion, timeMs),
    engineSeconds: engineSecondsAt(track, motion, timeMs),
    address: addressOf(track, position),
  }
}

export function odometerMilesAt(track: VehicleRoute, { miles }: Motion): number {
  return rounded(odometerAtStart(track) + miles, 1)
}

/** Percent of the tank or the battery. */
export function fuelLevelAt(track: VehicleRoute, motion: Motion, timeMs: number): number {
  return rounded(fuelPercentAt(track, vehicleModelOf(track.fleet, track.vehicle), motion, timeMs), 1)
}

/** Since the vehicle was built. */
export function engineSecondsAt(track: VehicleRoute, motion: Motion, timeMs: number): number {
  return Math.floor(odometerAtStart(track) * 75 + engineMsAt(track, motion, timeMs) / 1000)
}

/** A place of the history; the address is only looked up where it is asked for. */
export function breadcrumbAt(track: VehicleRoute, timeMs: number, addressed: boolean): Breadcrumb {
  const motion = motionAt(track, timeMs)
  const position = positionAfter(track, motion.miles)
  return {
    ...breadcrumb(track, timeMs, motion, position),
    address: addressed ? addressOf(track, position) : null,
  }
}

const addressOf = ({ corridor }: VehicleRoute, { nearest: { city, state } }: Position): string =>
  `${corridor.name} near ${city}, ${state}`

/** The time of the last sample at or before a time: every 5 seconds of a leg, every 5 minutes of a stop. */
export function latestSampleMs(track: VehicleRoute, timeMs: number): number {
  const { moving, startMs } = motionPeriodAt(track, timeMs)
  const step = moving ? MOVING_SAMPLE_MS : STOPPED_SAMPLE_MS
  return startMs + Math.floor((timeMs - startMs) / step) * step
}

/** Who drives a leg; of thirty legs one has nobody logged in. */
export function driverIdOf(fleet: Fleet, vehicle: number, leg: TimedLeg): string | null {
  if (unassignedDice(fleet.seed, vehicle, leg.number) < 1 / 30) return null
  return idOf('drv', fleet, driverOf(fleet, vehicle, leg.leg.shift))
}

function breadcrumb(track: VehicleRoute, timeMs: number, motion: Motion, position: Position) {
  return {
    vehicleId: idOf('veh', track.fleet, track.vehicle),
    driverId: driverIdAt(track, motion),
    time: timestamp(timeMs),
    lat: rounded(position.lat, 6),
    lng: rounded(position.lng, 6),
    heading: Math.floor(position.heading),
    speedMph: rounded(motion.speedMph, 1),
  }
}

/** A driver stays logged in over the stops of a day. */
function driverIdAt(track: VehicleRoute, { leg, moving }: Motion): string | null {
  if (!leg) return null
  if (!moving && legAt(track, leg.number + 1).day !== leg.day) return null
  return driverIdOf(track.fleet, track.vehicle, leg)
}

function odometerAtStart({ fleet, vehicle }: VehicleRoute): number {
  const years = 2024 - vehicleYearOf(fleet, vehicle)
  return 500 + years * between(60_000, 110_000, odometerDice(fleet.seed, vehicle))
}

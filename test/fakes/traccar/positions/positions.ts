import { createPosition, type Position, deviceAndTimeOf } from './position.ts'
import { positionsWithoutFix, hasNoFixAt, NULL_ISLAND, repeatedPositions } from './odd-positions.ts'
import { MAX_FAULT_DURATION } from '../../world/faults.ts'
import type { Fault, Fix, Ms, SafetyEvent, World } from '../../world/truth.ts'
import { type TraccarSwitches, toCourse, toKnots, toLiters, toMeters, toPercent } from '../wire.ts'

const DAY = 86_400_000
/** Returns the positions of a period, sorted by the time of the fix, then by the time of sending. */
export function positionsOf(
  vehicle: number,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): Position[] {
  const faults = world.faults(vehicle, from - MAX_FAULT_DURATION, to)
  const tank = tankOf(vehicle, world)
  const fixes = world.fixes(vehicle, from, to)
  const ofFixes = fixes.map((fix) => ofFix(fix, vehicle, faults, tank, world, switches))
  const ofEvents = world.safetyEvents(vehicle, from, to).map((event) => ofEvent(event, world, switches))
  const others = [
    ...positionsWithoutFix(vehicle, from, to, world, switches),
    ...repeatedPositions(vehicle, fixes, ofFixes, world, switches),
  ]
  return [...ofFixes, ...ofEvents, ...others]
    .filter(({ fixTime }) => fixTime.getTime() >= from && fixTime.getTime() < to)
    .sort((one, other) => one.fixTime.getTime() - other.fixTime.getTime() || one.id - other.id)
}

const tanks = new WeakMap<World, Map<number, number>>()

/** Returns the tank size: fuel is also time in liters if there is a tank. */
function tankOf(vehicle: number, world: World): number {
  const known = tanks.get(world)?.get(vehicle)
  if (known !== undefined) return known
  const found = new Map(world.vehicles().map(({ number, tankLiters }) => [number, tankLiters]))
  tanks.set(world, found)
  return found.get(vehicle) ?? 0
}

/** Returns the newest position; null if there is none. */
export function latestOf(vehicle: number, world: World, switches: TraccarSwitches): Position | null {
  const last = world.lastFix(vehicle)
  if (!last) return null
  return positionsOf(vehicle, last.at, world.now + 1, world, switches).at(-1) ?? null
}

export function positionOfId(id: number, world: World, switches: TraccarSwitches): Position | null {
  const { vehicle, at } = deviceAndTimeOf(id, world)
  return (
    positionsOf(vehicle, at - DAY, at + DAY, world, switches).find((position) => position.id === id) ?? null
  )
}

function ofFix(
  fix: Fix,
  vehicle: number,
  faults: readonly Fault[],
  tank: number,
  world: World,
  switches: TraccarSwitches,
): Position {
  const codes = faults.flatMap((fault) =>
    isOpen(fault, fix.at) && fault.code.protocol === 'obdii' ? fault.code.dtc : [],
  )
  return {
    ...createPosition(vehicle, fix.at, fix.arrivedAt, fix, world),
    speed: toKnots(fix.metersPerSecond),
    course: toCourse(fix.headingDegrees),
    attributes: {
      ignition: fix.engine !== 'off',
      motion: fix.metersPerSecond > 0,
      totalDistance: toMeters(fix.odometerMeters),
      hours: fix.engineRunMilliseconds,
      fuelLevel: toPercent(fix.fuel),
      ...(tank > 0 ? { fuel: toLiters(fix.fuel * tank) } : {}),
      ...(switches.is('odometer', 'sent') ? { odometer: toMeters(fix.odometerMeters) } : {}),
      ...(fix.driver === null ? {} : { driverUniqueId: `DRV-${fix.driver}` }),
      ...(codes.length > 0 ? { dtcs: codes.join(' ') } : {}),
    },
  }
}

const isOpen = ({ openedAt, closedAt }: Fault, at: Ms): boolean =>
  openedAt <= at && at < (closedAt ?? Infinity)

/** Returns the position of a safety event. It has no counters. */
function ofEvent(event: SafetyEvent, world: World, switches: TraccarSwitches): Position {
  const { vehicle, startedAt, arrivedAt, start, maxMetersPerSecond, headingDegrees, kind } = event
  const hasNoFix = hasNoFixAt(startedAt, switches)
  return {
    ...createPosition(vehicle, startedAt, arrivedAt, hasNoFix ? NULL_ISLAND : start, world),
    valid: !hasNoFix,
    speed: toKnots(maxMetersPerSecond),
    course: toCourse(headingDegrees),
    attributes: { ignition: true, motion: true, ...(kind === 'speeding' ? {} : { alarm: alarms[kind] }) },
  }
}

export const alarms = {
  harsh_brake: 'hardBraking',
  harsh_acceleration: 'hardAcceleration',
  harsh_turn: 'hardCornering',
  crash: 'accident',
} as const

import type { Fault, Fix, Ms, SafetyEvent, World } from '../world/truth.ts'
import {
  type TraccarSwitches,
  moment,
  toCourse,
  toDegrees,
  toKnots,
  toLiters,
  toMeters,
  toPercent,
} from './wire.ts'

export interface Position {
  readonly id: number
  readonly deviceId: number
  readonly fixTime: Date
  readonly deviceTime: Date
  readonly serverTime: Date
  readonly valid: boolean
  readonly outdated: boolean
  readonly latitude: number
  readonly longitude: number
  readonly speed: number
  readonly course: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly [more: string]: unknown
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LONGEST_FAULT = 13 * DAY
/** Of a device's own numbers: as many as there are milliseconds in 30 years. */
const IDS_PER_DEVICE = 1_000_000_000_000

/** A position is numbered by its device and when the device told it. */
export const positionId = (vehicle: number, at: Ms, world: World): number =>
  vehicle * IDS_PER_DEVICE + (at - world.startsAt)

/** Every third tracker repeats itself while it is parked, and every fifth starts without a fix. */
const repeatsItself = (vehicle: number): boolean => vehicle % 3 === 0
const startsBlind = (vehicle: number): boolean => vehicle % 5 === 0

/** What devices told, ordered by fixTime; those of the same time in the order in which they were told. */
export function positionsOf(
  vehicle: number,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): Position[] {
  const faults = world.faults(vehicle, from - LONGEST_FAULT, to)
  const tank = tankOf(vehicle, world)
  const fixes = world.fixes(vehicle, from, to)
  const ofFixes = fixes.map((fix) => ofFix(fix, vehicle, faults, tank, world, switches))
  const ofEvents = world.safetyEvents(vehicle, from, to).map((event) => ofEvent(event, world))
  const others = [
    ...blindStarts(vehicle, from, to, world, switches),
    ...repeats(vehicle, fixes, ofFixes, world, switches),
  ]
  return [...ofFixes, ...ofEvents, ...others]
    .filter(({ fixTime }) => fixTime.getTime() >= from && fixTime.getTime() < to)
    .sort((one, other) => one.fixTime.getTime() - other.fixTime.getTime() || one.id - other.id)
}

const tanks = new WeakMap<World, Map<number, number>>()

/** The fuel in it is told in liters too, where there is a tank. */
function tankOf(vehicle: number, world: World): number {
  const known = tanks.get(world)?.get(vehicle)
  if (known !== undefined) return known
  const found = new Map(world.vehicles().map(({ number, tankLiters }) => [number, tankLiters]))
  tanks.set(world, found)
  return found.get(vehicle) ?? 0
}

/** The newest in time, as the server shows it beside the device; null where there is none. */
export function latestOf(vehicle: number, world: World, switches: TraccarSwitches): Position | null {
  const last = world.lastFix(vehicle)
  if (!last) return null
  return positionsOf(vehicle, last.at, world.now + 1, world, switches).at(-1) ?? null
}

export function positionOfId(id: number, world: World, switches: TraccarSwitches): Position | null {
  const vehicle = Math.floor(id / IDS_PER_DEVICE)
  const at = world.startsAt + (id % IDS_PER_DEVICE)
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
    ...placed(vehicle, fix.at, fix.arrivedAt, fix, world),
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

/** What a device tells at the moment of an alarm: where, how fast and why, but none of its counters. */
function ofEvent(event: SafetyEvent, world: World): Position {
  const { vehicle, startedAt, arrivedAt, start, maxMetersPerSecond, headingDegrees, kind } = event
  return {
    ...placed(vehicle, startedAt, arrivedAt, start, world),
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

function placed(
  vehicle: number,
  at: Ms,
  arrivedAt: Ms,
  place: { latitude: number; longitude: number },
  world: World,
) {
  const told = moment(at)
  return {
    id: positionId(vehicle, at, world),
    deviceId: vehicle,
    protocol: 'teltonika',
    deviceTime: told,
    fixTime: told,
    serverTime: moment(arrivedAt),
    outdated: false,
    valid: true,
    latitude: toDegrees(place.latitude),
    longitude: toDegrees(place.longitude),
    altitude: 0,
    address: null,
    accuracy: 0,
    network: null,
    geofenceIds: null,
  }
}

function blindStarts(vehicle: number, from: Ms, to: Ms, world: World, switches: TraccarSwitches): Position[] {
  if (!startsBlind(vehicle) || !switches.is('nullIsland', 'sent')) return []
  return world.trips(vehicle, from - 1, to).map(({ startedAt, arrivedAt }) => ({
    ...placed(vehicle, startedAt + 1, arrivedAt, { latitude: 0, longitude: 0 }, world),
    valid: false,
    speed: 0,
    course: 0,
    attributes: { ignition: true },
  }))
}

/** Every hour after a trip, for three hours, as long as it stands: the old fix told anew. */
function repeats(
  vehicle: number,
  fixes: readonly Fix[],
  positions: readonly Position[],
  world: World,
  switches: TraccarSwitches,
): Position[] {
  if (!repeatsItself(vehicle) || !switches.is('outdated', 'sent')) return []
  const later = world.fixes(vehicle, (fixes.at(-1)?.at ?? 0) + 1, (fixes.at(-1)?.at ?? 0) + 4 * HOUR)
  return fixes.flatMap(({ engine, at, arrivedAt }, index) => {
    const next = (fixes[index + 1] ?? later[0])?.at ?? Infinity
    const hours = engine === 'off' ? [1, 2, 3].map((hour) => at + hour * HOUR) : []
    return hours
      .filter((told) => told < next && Math.max(told, arrivedAt) <= world.now)
      .map((told) => ({
        ...(positions[index] as Position),
        id: positionId(vehicle, told, world),
        deviceTime: moment(told),
        serverTime: moment(Math.max(told, arrivedAt)),
        outdated: true,
      }))
  })
}

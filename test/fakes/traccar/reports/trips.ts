import type { Driver, Ms, Place, Vehicle, World } from '../../world/truth.ts'
import { driverCode, driversOf } from '../lists.ts'
import { hasNoFixAt, NULL_ISLAND } from '../positions/odd-positions.ts'
import type { Position } from '../positions/position.ts'
import { positionsOf } from '../positions/positions.ts'
import { type TraccarSwitches, toDate } from '../wire.ts'

const DAY = 86_400_000
const METERS_PER_SECOND_IN_KNOT = 1852 / 3600

/** A trip, as the server computes it from positions. */
export interface ReportedTrip {
  readonly vehicle: Vehicle
  readonly positions: readonly Position[]
  readonly driver: Driver | null
}

/** Returns the trips of a period, each cut to it. */
export function reportedTripsOf(
  vehicle: Vehicle,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): ReportedTrip[] {
  const drivers = new Map(driversOf(world).map((driver) => [driver.number, driver]))
  const all = withCounters(positionsOf(vehicle.number, from, to, world, switches))
  return world
    .trips(vehicle.number, from - DAY, to)
    .filter(({ startedAt }) => startedAt >= from || switches.is('tripsAcrossFrom', 'cut'))
    .flatMap(({ startedAt, endedAt }) => {
      const positions = within(all, startedAt, (endedAt ?? world.now) + 1)
      const driver = drivers.get(driverNumberOf(positions[0])) ?? null
      return positions.length > 1 ? [{ vehicle, positions, driver }] : []
    })
}

export const within = (positions: readonly Position[], from: Ms, to: Ms): Position[] =>
  positions.slice(firstFrom(positions, from), firstFrom(positions, to))

/** Returns the index of the first position at or after a time. */
function firstFrom(positions: readonly Position[], at: Ms): number {
  let [before, from] = [-1, positions.length]
  while (from - before > 1) {
    const middle = (before + from) >> 1
    if ((positions[middle] as Position).fixTime.getTime() < at) before = middle
    else from = middle
  }
  return from
}

/** Returns the positions from which the server computes trips and sums. */
export const withCounters = (positions: readonly Position[]): Position[] =>
  positions.filter(({ valid, outdated, attributes }) => valid && !outdated && 'hours' in attributes)

function driverNumberOf(position: Position | undefined): number {
  const code = position?.attributes['driverUniqueId']
  return typeof code === 'string' ? Number(code.replace('DRV-', '')) : 0
}

export const counterOf = (position: Position | undefined, name: string): number =>
  Number(position?.attributes[name] ?? 0)

export const metersOver = (positions: readonly Position[]): number =>
  counterOf(positions.at(-1), 'totalDistance') - counterOf(positions[0], 'totalDistance')

export const litersOver = (positions: readonly Position[]): number =>
  Math.max(0, Math.round((counterOf(positions[0], 'fuel') - counterOf(positions.at(-1), 'fuel')) * 100) / 100)

export const millisecondsOver = (positions: readonly Position[]): number =>
  (positions.at(-1)?.fixTime.getTime() ?? 0) - (positions[0]?.fixTime.getTime() ?? 0)

export function speedsOver(positions: readonly Position[]): { averageSpeed: number; maxSpeed: number } {
  const seconds = millisecondsOver(positions) / 1000
  return {
    averageSpeed: seconds > 0 ? metersOver(positions) / seconds / METERS_PER_SECOND_IN_KNOT : 0,
    maxSpeed: Math.max(0, ...positions.map(({ speed }) => speed)),
  }
}

/** Returns the place where a trip starts; null if the tracker had no fix. */
export const startPlaceOf = ({ positions }: ReportedTrip, switches: TraccarSwitches): Place | null =>
  hasNoFixAt(positions[0]?.fixTime.getTime() ?? 0, switches) ? null : (positions[0] ?? null)

export function toTripReport(trip: ReportedTrip, switches: TraccarSwitches): object {
  const { vehicle, positions, driver } = trip
  const begin = startPlaceOf(trip, switches) ?? NULL_ISLAND
  const [first, last] = [positions[0] as Position, positions.at(-1) as Position]
  return {
    deviceId: vehicle.number,
    deviceName: vehicle.name,
    distance: metersOver(positions),
    ...speedsOver(positions),
    spentFuel: litersOver(positions),
    startOdometer: counterOf(first, 'totalDistance'),
    endOdometer: counterOf(last, 'totalDistance'),
    startPositionId: first.id,
    endPositionId: last.id,
    startTime: toDate(first.fixTime.getTime()),
    endTime: toDate(last.fixTime.getTime()),
    startLat: begin.latitude,
    startLon: begin.longitude,
    endLat: last.latitude,
    endLon: last.longitude,
    startAddress: null,
    endAddress: null,
    duration: millisecondsOver(positions),
    driverUniqueId: driver ? driverCode(driver.number) : null,
    driverName: driver ? `${driver.firstName} ${driver.lastName}` : null,
  }
}

import type { Ms, Vehicle, World } from '../../world/truth.ts'
import { localDays, touchedDays } from '../reports/days.ts'
import type { Position } from '../positions/position.ts'
import { latestOf, positionsOf } from '../positions/positions.ts'
import { counted, litersOver, metersOver, within } from '../reports/trips.ts'
import type { TraccarSwitches } from '../wire.ts'
import { zonesOf } from '../zones.ts'
import { driverIdOf, engineOf, kilometersOf, kphOf, pointOf } from './conversions.ts'

const isGood = ({ valid, outdated }: Position): boolean => valid && !outdated

const placed = (position: Position) => ({
  vehicleSourceId: String(position.deviceId),
  sourceId: String(position.id),
  driverSourceId: driverIdOf(position),
  locatedAt: position.fixTime.getTime(),
  location: pointOf(position),
  address: null,
  headingDegrees: position.course,
  speedKph: kphOf(position.speed),
})

export const locations = (
  { number }: Vehicle,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): object[] => positionsOf(number, from, to, world, switches).filter(isGood).map(placed)

/**
 * Returns the newest position. A repeated one has the same place, time and counters. A tracker without a fix
 * reports nothing new.
 */
export function latest({ number }: Vehicle, world: World, switches: TraccarSwitches): object[] {
  const newest = latestOf(number, world, switches)
  if (!newest || (newest.latitude === 0 && newest.longitude === 0)) return []
  const { odometer, totalDistance, fuelLevel, hours } = newest.attributes
  return [
    {
      ...placed(newest),
      odometerKilometers: orNull(odometer ?? totalDistance, kilometersOf),
      fuelPrimaryPercentage: orNull(fuelLevel, Number),
      fuelSecondaryPercentage: null,
      engineState: engineOf(newest),
      engineRuntimeMilliseconds: orNull(hours, Number),
    },
  ]
}

const orNull = (value: unknown, convert: (value: number) => number): number | null =>
  typeof value === 'number' ? convert(value) : null

export const stats = (
  { number }: Vehicle,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): object[] => positionsOf(number, from, to, world, switches).filter(isGood).flatMap(measured)

/** An alarm position measures only the engine state. */
function measured(position: Position): object[] {
  const { odometer, totalDistance, fuelLevel, hours } = position.attributes
  const values = {
    odometer: orNull(odometer ?? totalDistance, kilometersOf),
    fuel_level: orNull(fuelLevel, Number),
    engine_runtime: orNull(hours, Number),
  }
  const log = (type: string, value: number | null, state: string | null) => ({
    vehicleSourceId: String(position.deviceId),
    type,
    timestamp: position.fixTime.getTime(),
    sourceId: null,
    value,
    state,
  })
  const reported = Object.entries(values).filter(([, value]) => value !== null)
  return [
    log('engine_state', null, engineOf(position)),
    ...reported.map(([type, value]) => log(type, value, null)),
  ]
}

/** Returns the used fuel. A tracker without fuel data reports 0, so 0 means unknown. */
function usedOf(positions: readonly Position[]): number | null {
  const liters = litersOver(positions)
  return liters > 0 ? liters : null
}

/** Returns the fleet's whole days that a period touches; days without a position have no row. */
export function utilization(
  { number }: Vehicle,
  from: Ms,
  to: Ms,
  world: World,
  switches: TraccarSwitches,
): object[] {
  const days = touchedDays(world, from, to, zonesOf(world, switches).days)
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const all = counted(positionsOf(number, first.from, last.to, world, switches))
  return days.flatMap((day) => {
    const positions = within(all, day.from, day.to)
    if (positions.length === 0) return []
    return {
      sourceId: `${number}:${day.date}`,
      vehicleSourceId: String(number),
      date: day.date,
      distanceKilometers: kilometersOf(metersOver(positions)),
      fuelConsumedLiters: usedOf(positions),
      drivingMilliseconds: null,
      idlingMilliseconds: null,
    }
  })
}

/** Returns monthly distances from the geometry of the roads, for existing vehicles. */
export function ifta(vehicles: readonly Vehicle[], from: Ms, to: Ms, world: World): object[] {
  const there = new Set(vehicles.map(({ number }) => number))
  const months = new Set(localDays(world, from, to).map(({ date }) => date.slice(0, 7)))
  return [...months]
    .flatMap((month) => world.jurisdictionDistances(month))
    .filter(({ vehicle }) => there.has(vehicle))
    .map(({ vehicle, month, jurisdiction, meters }) => ({
      sourceId: `${vehicle}:${month}:${jurisdiction}`,
      vehicleSourceId: String(vehicle),
      month,
      jurisdiction,
      distanceKilometers: kilometersOf(meters),
    }))
}

import type { Ms, Vehicle, World } from '../../world/truth.ts'
import { localDays, touchedDays } from '../reports/days.ts'
import type { Position } from '../positions/position.ts'
import { latestOf, positionsOf } from '../positions/positions.ts'
import { withCounters, litersOver, metersOver, within } from '../reports/trips.ts'
import type { TraccarSwitches } from '../wire.ts'
import { zonesOf } from '../zones.ts'
import { driverIdOf, engineOf, kilometersOf, kphOf, pointOf } from './conversions.ts'

const isValid = ({ valid, outdated }: Position): boolean => valid && !outdated

const toLocation = (position: Position) => ({
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
): object[] => positionsOf(number, from, to, world, switches).filter(isValid).map(toLocation)

/** Returns the newest position, which can be a repeated one. Positions at 0, 0 give no record. */
export function latest({ number }: Vehicle, world: World, switches: TraccarSwitches): object[] {
  const newest = latestOf(number, world, switches)
  if (!newest || (newest.latitude === 0 && newest.longitude === 0)) return []
  const { odometer, totalDistance, fuelLevel, hours } = newest.attributes
  return [
    {
      ...toLocation(newest),
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
): object[] => positionsOf(number, from, to, world, switches).filter(isValid).flatMap(measured)

/** Returns the measurements of a position. That of an alarm has only the engine state. */
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

/** Returns the used fuel. 0 means unknown, because trackers without fuel data report it. */
function fuelUsed(positions: readonly Position[]): number | null {
  const liters = litersOver(positions)
  return liters > 0 ? liters : null
}

/** Returns the rows of all days that overlap the period. A day without a position has none. */
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
  const all = withCounters(positionsOf(number, first.from, last.to, world, switches))
  return days.flatMap((day) => {
    const positions = within(all, day.from, day.to)
    if (positions.length === 0) return []
    return {
      sourceId: `${number}:${day.date}`,
      vehicleSourceId: String(number),
      date: day.date,
      distanceKilometers: kilometersOf(metersOver(positions)),
      fuelConsumedLiters: fuelUsed(positions),
      drivingMilliseconds: null,
      idlingMilliseconds: null,
    }
  })
}

/** Returns monthly distances by jurisdiction. */
export function ifta(vehicles: readonly Vehicle[], from: Ms, to: Ms, world: World): object[] {
  const existing = new Set(vehicles.map(({ number }) => number))
  const months = new Set(localDays(world, from, to).map(({ date }) => date.slice(0, 7)))
  return [...months]
    .flatMap((month) => world.jurisdictionDistances(month))
    .filter(({ vehicle }) => existing.has(vehicle))
    .map(({ vehicle, month, jurisdiction, meters }) => ({
      sourceId: `${vehicle}:${month}:${jurisdiction}`,
      vehicleSourceId: String(vehicle),
      month,
      jurisdiction,
      distanceKilometers: kilometersOf(meters),
    }))
}

import type { Corridor } from './corridors.ts'
import type { VehicleRoute } from '../vehicle-route.ts'

/** Miles by the two-letter code of a state or province. */
export type MilesByState = ReadonlyMap<string, number>

/**
 * Returns the miles of a vehicle by state, between two distances since the start of the world. A lap is one drive
 * along its section; the next lap leads back. Whole laps are counted once and multiplied, so the cost does not grow
 * with the distance.
 */
export function milesByState(route: VehicleRoute, fromMiles: number, toMiles: number): MilesByState {
  const sums = new Map<string, number>()
  const { startMile, lengthMiles, headStartMiles } = route
  const [from, to] = [headStartMiles + fromMiles, headStartMiles + toMiles]
  const [firstLap, lastLap] = [from, to].map((miles) => Math.floor(miles / lengthMiles)) as [number, number]
  const add = (lap: number, a: number, b: number, times = 1) => {
    const outbound = lap % 2 === 0
    const [low, high] = outbound ? [a, b] : [lengthMiles - b, lengthMiles - a]
    addSection(sums, route.corridor, startMile + low, startMile + high, times)
  }
  const milesIntoLap = (miles: number, lap: number) => miles - lap * lengthMiles
  if (firstLap === lastLap) {
    add(firstLap, milesIntoLap(from, firstLap), milesIntoLap(to, lastLap))
    return sums
  }
  add(firstLap, milesIntoLap(from, firstLap), lengthMiles)
  if (lastLap - firstLap > 1) add(0, 0, lengthMiles, lastLap - firstLap - 1)
  add(lastLap, 0, milesIntoLap(to, lastLap))
  return sums
}

/** Adds the miles of a section `times` times. A mile counts for the state of the nearest city along the road. */
function addSection(sums: Map<string, number>, corridor: Corridor, low: number, high: number, times: number) {
  const { places } = corridor
  for (const [i, { state, mile }] of places.entries()) {
    const [before, after] = [places[i - 1], places[i + 1]]
    const from = Math.max(low, before ? (before.mile + mile) / 2 : 0)
    const to = Math.min(high, after ? (mile + after.mile) / 2 : mile)
    if (to > from) sums.set(state, (sums.get(state) ?? 0) + (to - from) * times)
  }
}

import type { Corridor } from './corridors.ts'
import type { VehicleRoute } from '../vehicle-route.ts'

/** Miles by the two letters of a state or a province. */
export type MilesByState = ReadonlyMap<string, number>

/**
 * Where the miles of a vehicle lie, between two counts of miles since the world began. Whole round trips are counted,
 * not driven: the cost does not grow with the distance.
 */
export function milesByState(track: VehicleRoute, fromMiles: number, toMiles: number): MilesByState {
  const sums = new Map<string, number>()
  const { startMile, lengthMiles, headStartMiles } = track
  const [from, to] = [headStartMiles + fromMiles, headStartMiles + toMiles]
  const [firstLap, lastLap] = [from, to].map((miles) => Math.floor(miles / lengthMiles)) as [number, number]
  const add = (lap: number, a: number, b: number, times = 1) => {
    const outbound = lap % 2 === 0
    const [low, high] = outbound ? [a, b] : [lengthMiles - b, lengthMiles - a]
    addStretch(sums, track.corridor, startMile + low, startMile + high, times)
  }
  const into = (miles: number, lap: number) => miles - lap * lengthMiles
  if (firstLap === lastLap) {
    add(firstLap, into(from, firstLap), into(to, lastLap))
    return sums
  }
  add(firstLap, into(from, firstLap), lengthMiles)
  if (lastLap - firstLap > 1) add(0, 0, lengthMiles, lastLap - firstLap - 1)
  add(lastLap, 0, into(to, lastLap))
  return sums
}

/** A mile belongs to the state of the city that is nearest along the road. */
function addStretch(sums: Map<string, number>, corridor: Corridor, low: number, high: number, times: number) {
  const { places } = corridor
  for (const [i, { state, mile }] of places.entries()) {
    const [before, after] = [places[i - 1], places[i + 1]]
    const from = Math.max(low, before ? (before.mile + mile) / 2 : 0)
    const to = Math.min(high, after ? (mile + after.mile) / 2 : mile)
    if (to > from) sums.set(state, (sums.get(state) ?? 0) + (to - from) * times)
  }
}

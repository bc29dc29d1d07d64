import type { Fix, Ms } from '../../world/truth.ts'
import { DAY } from '../times.ts'

/** Position of a vehicle at a time. Positions of safety events have no fix, so no measurements. */
export interface Point {
  readonly at: Ms
  readonly arrivedAt: Ms
  readonly latitude: number
  readonly longitude: number
  readonly metersPerSecond: number
  readonly fix: Fix | null
}

const MAX_ARRIVAL_DELAY = 8 * DAY

/** All arrived points of all vehicles, in time order. */
export class PointIndex {
  private readonly points = new Map<number, Point[]>()
  private until: Ms = -Infinity

  constructor(private readonly read: (vehicle: number, from: Ms, to: Ms) => readonly Point[]) {}

  updateTo(now: Ms, vehicles: readonly number[]): void {
    if (now <= this.until) return
    for (const vehicle of vehicles) {
      const from = this.points.has(vehicle) ? this.until - MAX_ARRIVAL_DELAY : -Infinity
      const added = this.read(vehicle, from, now + 1).filter(({ arrivedAt }) => arrivedAt > this.until)
      const known = this.points.get(vehicle) ?? []
      for (const point of added) known.push(point)
      this.points.set(
        vehicle,
        known.sort((one, other) => one.at - other.at),
      )
    }
    this.until = now
  }

  of(vehicle: number): readonly Point[] {
    return this.points.get(vehicle) ?? []
  }

  find(vehicle: number, at: Ms): Point {
    const points = this.of(vehicle)
    const point = points[firstFrom(points, at)]
    if (point?.at !== at) throw new Error(`vehicle ${vehicle} has no position at ${at}`)
    return point
  }

  /** Returns the points between two times, both inclusive. */
  between(vehicle: number, from: Ms, to: Ms): readonly Point[] {
    const points = this.of(vehicle)
    return points.slice(firstFrom(points, from), firstFrom(points, to + 1))
  }
}

/** Returns the index of the first point at or after a time. */
function firstFrom(points: readonly Point[], at: Ms): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle] as Point).at < at) low = middle + 1
    else high = middle
  }
  return low
}

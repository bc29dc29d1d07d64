import type { Fix, Ms } from '../../world/truth.ts'
import { DAY } from '../times.ts'

/** Where a vehicle was. What is measured beside is known of the fixes alone, not of the places of events. */
export interface Point {
  readonly at: Ms
  readonly arrivedAt: Ms
  readonly latitude: number
  readonly longitude: number
  readonly metersPerSecond: number
  readonly fix: Fix | null
}

/** Nothing arrives later than this after it was. */
const LATEST_ARRIVAL = 4 * DAY

/** All points of all vehicles that have arrived, in order of time. */
export class PointBook {
  private readonly points = new Map<number, Point[]>()
  private until: Ms = -Infinity

  constructor(private readonly read: (vehicle: number, from: Ms, to: Ms) => readonly Point[]) {}

  bringTo(now: Ms, vehicles: readonly number[]): void {
    if (now <= this.until) return
    for (const vehicle of vehicles) {
      const from = this.points.has(vehicle) ? this.until - LATEST_ARRIVAL : -Infinity
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
    if (point?.at !== at) throw new Error(`vehicle ${vehicle} was nowhere at ${at}`)
    return point
  }

  /** From the first instant to the last, both included. */
  between(vehicle: number, from: Ms, to: Ms): readonly Point[] {
    const points = this.of(vehicle)
    return points.slice(firstFrom(points, from), firstFrom(points, to + 1))
  }
}

/** Where the first is that is not before a time. */
function firstFrom(points: readonly Point[], at: Ms): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle] as Point).at < at) low = middle + 1
    else high = middle
  }
  return low
}

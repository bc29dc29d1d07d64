import type { Corridor, Waypoint } from './corridors/corridor.ts'
import type { Place } from '../truth.ts'

export interface Passage {
  readonly jurisdiction: string
  readonly fromMeters: number
  readonly toMeters: number
}

const EARTH_RADIUS_METERS = 6_371_008.8
const radians = (degrees: number): number => (degrees * Math.PI) / 180

export function metersBetween(
  [fromLatitude, fromLongitude]: Waypoint,
  [latitude, longitude]: Waypoint,
): number {
  const rise = Math.sin(radians(latitude - fromLatitude) / 2) ** 2
  const run = Math.sin(radians(longitude - fromLongitude) / 2) ** 2
  const chord = rise + Math.cos(radians(fromLatitude)) * Math.cos(radians(latitude)) * run
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(chord))
}

/** A road on which vehicles drive to and fro. The odometer of a vehicle determines its position. */
export class Road {
  /** Jurisdictions along the road, with the distances from its start to their borders. */
  readonly passages: readonly Passage[]
  readonly lengthMeters: number
  private readonly waypoints: readonly Waypoint[]
  /** Distance of each waypoint from the start of the road. */
  private readonly waypointMeters: readonly number[]

  constructor({ stretches }: Corridor) {
    this.waypoints = stretches.flatMap(({ waypoints }) => waypoints)
    const waypointMeters = [0]
    for (let index = 1; index < this.waypoints.length; index++)
      waypointMeters.push((waypointMeters[index - 1] as number) + this.legMeters(index - 1))
    this.waypointMeters = waypointMeters
    this.lengthMeters = waypointMeters.at(-1) as number
    let first = 0
    this.passages = stretches.map(({ jurisdiction, waypoints }) => {
      const fromMeters = waypointMeters[first] as number
      first += waypoints.length
      return { jurisdiction, fromMeters, toMeters: waypointMeters[first] ?? this.lengthMeters }
    })
  }

  placeAt(drivenMeters: number): Place {
    const { leg, share } = this.legAt(this.metersFromStart(drivenMeters))
    const [from, to] = this.endsOf(leg)
    return {
      latitude: from[0] + (to[0] - from[0]) * share,
      longitude: from[1] + (to[1] - from[1]) * share,
    }
  }

  headingAt(drivenMeters: number): number {
    const [from, to] = this.endsOf(this.legAt(this.metersFromStart(drivenMeters)).leg)
    const east = (to[1] - from[1]) * Math.cos(radians((from[0] + to[0]) / 2))
    const degrees = (Math.atan2(east, to[0] - from[0]) * 180) / Math.PI
    return (degrees + (this.isOnTheWayBack(drivenMeters) ? 540 : 360)) % 360
  }

  /** Returns the distance in each jurisdiction between two odometer values. */
  distancesBetween(fromMeters: number, toMeters: number): Map<string, number> {
    const sums = new Map<string, number>()
    const lastLap = this.lapOf(toMeters)
    for (let lap = this.lapOf(fromMeters); lap <= lastLap; lap++) {
      const start = lap * this.lengthMeters
      const from = Math.max(fromMeters - start, 0)
      const to = Math.min(toMeters - start, this.lengthMeters)
      if (lap % 2 === 0) this.addPassages(sums, from, to)
      else this.addPassages(sums, this.lengthMeters - to, this.lengthMeters - from)
    }
    return sums
  }

  private addPassages(sums: Map<string, number>, least: number, most: number): void {
    for (const { jurisdiction, fromMeters, toMeters } of this.passages) {
      const meters = Math.min(most, toMeters) - Math.max(least, fromMeters)
      if (meters > 0) sums.set(jurisdiction, (sums.get(jurisdiction) ?? 0) + meters)
    }
  }

  /** Returns how often a vehicle has reached an end of the road. */
  private lapOf(drivenMeters: number): number {
    return Math.floor(drivenMeters / this.lengthMeters)
  }

  private isOnTheWayBack(drivenMeters: number): boolean {
    return this.lapOf(drivenMeters) % 2 === 1
  }

  private metersFromStart(drivenMeters: number): number {
    const over = drivenMeters % this.lengthMeters
    return this.isOnTheWayBack(drivenMeters) ? this.lengthMeters - over : over
  }

  private legAt(meters: number): { leg: number; share: number } {
    let [leg, end] = [0, this.waypointMeters.length - 1]
    while (end - leg > 1) {
      const middle = (leg + end) >> 1
      if ((this.waypointMeters[middle] as number) <= meters) leg = middle
      else end = middle
    }
    const [from, to] = [this.waypointMeters[leg] as number, this.waypointMeters[leg + 1] as number]
    return { leg, share: (meters - from) / (to - from) }
  }

  private legMeters(leg: number): number {
    return metersBetween(...this.endsOf(leg))
  }

  private endsOf(leg: number): [Waypoint, Waypoint] {
    return [this.waypoints[leg] as Waypoint, this.waypoints[leg + 1] as Waypoint]
  }
}

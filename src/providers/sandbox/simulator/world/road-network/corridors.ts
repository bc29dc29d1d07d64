import { courseBetween, milesBetween, type Point } from './geometry.ts'
import { ROADS, type Road, type Waypoint } from './roads.ts'

/** A road, measured in miles from its first city. */
export interface Corridor {
  readonly name: string
  readonly timeZone: string
  readonly places: readonly CorridorCity[]
  /** `sections[i]` leads from `places[i]` to `places[i + 1]`. */
  readonly sections: readonly CorridorSection[]
}

export interface CorridorCity extends Point {
  readonly city: string
  readonly state: string
  /** Distance from the first city of the corridor. */
  readonly mile: number
}

interface CorridorSection {
  readonly from: CorridorCity
  readonly to: CorridorCity
  /** Compass course in degrees from north. */
  readonly course: number
}

export interface RoadPoint extends Point {
  /** Compass course in the direction of higher miles, in degrees from north. */
  readonly course: number
  /** The nearest city along the road. */
  readonly nearest: CorridorCity
}

export const CORRIDORS: readonly Corridor[] = ROADS.map(measure)

/** Returns the point of a corridor at a mile. */
export function pointAt(corridor: Corridor, mile: number): RoadPoint {
  const { from, to, course } = sectionAt(corridor, mile)
  const part = (mile - from.mile) / (to.mile - from.mile)
  return {
    lat: from.lat + (to.lat - from.lat) * part,
    lng: from.lng + (to.lng - from.lng) * part,
    course,
    nearest: part < 0.5 ? from : to,
  }
}

function sectionAt({ sections }: Corridor, mile: number): CorridorSection {
  let low = 0
  let high = sections.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (mile < sections[middle]!.to.mile) high = middle
    else low = middle + 1
  }
  return sections[low]!
}

function measure({ name, timeZone, waypoints }: Road): Corridor {
  const places: CorridorCity[] = []
  for (const waypoint of waypoints) places.push(placeAfter(places.at(-1), waypoint))
  const sections = places.slice(1).map((to, i) => {
    const from = places[i]!
    return { from, to, course: courseBetween(from, to) }
  })
  return { name, timeZone, places, sections }
}

function placeAfter(previous: CorridorCity | undefined, [city, state, lat, lng]: Waypoint): CorridorCity {
  const mile = previous ? previous.mile + milesBetween(previous, { lat, lng }) : 0
  return { city, state, lat, lng, mile }
}

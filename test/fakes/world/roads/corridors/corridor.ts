/** Latitude and longitude. */
export type Waypoint = readonly [latitude: number, longitude: number]

/**
 * A stretch of a highway within one jurisdiction. It ends at the first waypoint of the next stretch, which is on the
 * border.
 */
export interface Stretch {
  readonly jurisdiction: string
  readonly waypoints: readonly Waypoint[]
}

export interface Corridor {
  readonly name: string
  readonly stretches: readonly Stretch[]
}

export const stretch = (jurisdiction: string, ...waypoints: readonly Waypoint[]): Stretch => ({
  jurisdiction,
  waypoints,
})

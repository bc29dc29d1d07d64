/** A place on the Earth, in degrees. */
export interface Coordinates {
  readonly longitude: number
  readonly latitude: number
}

const EARTH_RADIUS_KILOMETERS = 6371.0088
const RADIANS = Math.PI / 180

/** Great-circle distance. */
export function kilometersBetween(a: Coordinates, b: Coordinates): number {
  const north = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2)
  const east = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2)
  const part = north * north + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * east * east
  return 2 * EARTH_RADIUS_KILOMETERS * Math.asin(Math.min(1, Math.sqrt(part)))
}

/** The place that lies so far along the straight line between two near places: 0 is the first, 1 the second. */
export const interpolate = (a: Coordinates, b: Coordinates, part: number): Coordinates => ({
  longitude: a.longitude + (b.longitude - a.longitude) * part,
  latitude: a.latitude + (b.latitude - a.latitude) * part,
})

/**
 * Distance from a place to the line between two others, near enough to be drawn on a plane; ends are longitudes and
 * latitudes.
 */
export function kilometersToLine(
  place: Coordinates,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): number {
  const perLatitude = EARTH_RADIUS_KILOMETERS * RADIANS
  const perLongitude = perLatitude * Math.cos(place.latitude * RADIANS)
  const x = (fromX - place.longitude) * perLongitude
  const y = (fromY - place.latitude) * perLatitude
  const east = (toX - fromX) * perLongitude
  const north = (toY - fromY) * perLatitude
  const length = east * east + north * north
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(x * east + y * north) / length))
  return Math.hypot(x + along * east, y + along * north)
}

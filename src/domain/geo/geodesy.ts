import type { Point } from '../models/point.ts'

const EARTH_RADIUS_KILOMETERS = 6371.0088
const RADIANS = Math.PI / 180

/** Returns the great-circle distance in km. */
export function kilometersBetween(a: Point, b: Point): number {
  const north = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2)
  const east = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2)
  const part = north * north + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * east * east
  return 2 * EARTH_RADIUS_KILOMETERS * Math.asin(Math.min(1, Math.sqrt(part)))
}

/**
 * Returns the point at a fraction of the straight line between two nearby points: 0 is the first point, 1 the second.
 * The line may cross the meridian of 180 degrees.
 */
export const interpolate = (a: Point, b: Point, fraction: number): Point => ({
  longitude: wrapLongitude(a.longitude + wrapLongitude(b.longitude - a.longitude) * fraction),
  latitude: a.latitude + (b.latitude - a.latitude) * fraction,
})

/** Returns the same longitude, from -180 to 180 degrees. */
export const wrapLongitude = (degrees: number): number => degrees - 360 * Math.round(degrees / 360)

/**
 * Returns where the straight line between two nearby points is closest to a third: 0 is the first point, 1 the second.
 * The line may cross the meridian of 180 degrees.
 */
export function shareNearestTo(point: Point, from: Point, to: Point): number {
  const perLongitude = Math.cos(point.latitude * RADIANS)
  const x = wrapLongitude(from.longitude - point.longitude) * perLongitude
  const y = from.latitude - point.latitude
  const east = wrapLongitude(to.longitude - from.longitude) * perLongitude
  const north = to.latitude - from.latitude
  const length = east * east + north * north
  return length === 0 ? 0 : Math.min(1, Math.max(0, -(x * east + y * north) / length))
}

/**
 * Returns the distance in km from a point to the line between two other points. The calculation is planar, so all
 * points must be close together. X values are longitudes, Y values latitudes.
 */
export function kilometersToLine(
  point: Point,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): number {
  const perLatitude = EARTH_RADIUS_KILOMETERS * RADIANS
  const perLongitude = perLatitude * Math.cos(point.latitude * RADIANS)
  const x = (fromX - point.longitude) * perLongitude
  const y = (fromY - point.latitude) * perLatitude
  const east = (toX - fromX) * perLongitude
  const north = (toY - fromY) * perLatitude
  const length = east * east + north * north
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(x * east + y * north) / length))
  return Math.hypot(x + along * east, y + along * north)
}

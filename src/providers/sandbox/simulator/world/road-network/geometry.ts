const EARTH_RADIUS_MILES = 3958.8
const KILOMETERS_PER_MILE = 1.609344

export interface Point {
  lat: number
  lng: number
}

/** Returns the great-circle distance of two points. */
export function milesBetween(a: Point, b: Point): number {
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const h = half(b.lat - a.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(b.lng - a.lng)
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(h))
}

export const kilometersBetween = (a: Point, b: Point): number => KILOMETERS_PER_MILE * milesBetween(a, b)

/** Returns the compass course from one point to a near one, in degrees from north, [0, 360). */
export function courseBetween(a: Point, b: Point): number {
  const east = (b.lng - a.lng) * Math.cos(radians((a.lat + b.lat) / 2))
  const degrees = (Math.atan2(east, b.lat - a.lat) * 180) / Math.PI
  return (degrees + 360) % 360
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

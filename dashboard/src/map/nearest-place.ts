import type { Point } from '../../../src/domain/models/point.ts'

/** A city with its position. */
export type NamedPlace = readonly [name: string, longitude: number, latitude: number, population?: number]

const KM_PER_DEGREE = 111.2
/** Further away than this, a city says little about a position. */
const FAR_KM = 150

/** Returns the city nearest to a position and its distance in kilometers; null if none is near. */
export function nearestPlace(
  places: readonly NamedPlace[],
  { longitude, latitude }: Point,
): { readonly name: string; readonly km: number } | null {
  const shrink = Math.cos((latitude * Math.PI) / 180)
  let name: string | null = null
  let least = (FAR_KM / KM_PER_DEGREE) ** 2
  for (const place of places) {
    const distance = ((place[1] - longitude) * shrink) ** 2 + (place[2] - latitude) ** 2
    if (distance >= least) continue
    least = distance
    name = place[0]
  }
  return name === null ? null : { name, km: Math.sqrt(least) * KM_PER_DEGREE }
}

/** Names the city near a position; without one it gives the coordinates. */
export function describePosition(position: Point, cities: readonly NamedPlace[]): string {
  const near = nearestPlace(cities, position)
  if (near) return near.km < 5 ? near.name : `near ${near.name}`
  return `${position.latitude.toFixed(3)}, ${position.longitude.toFixed(3)}`
}

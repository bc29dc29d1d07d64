import type { Point } from '../../../src/domain/models/point.ts'
import type { FitBoundsOptions, Map as MapLibre } from 'maplibre-gl'

/** Shows the part of the map that has all positions. */
export function fitTo(map: MapLibre, positions: Iterable<Point>, options: FitBoundsOptions): void {
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { longitude, latitude } of positions) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  map.fitBounds([west, south, east, north], { duration: 0, ...options })
}

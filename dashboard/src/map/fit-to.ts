import type { FitBoundsOptions, Map as MapLibre } from 'maplibre-gl'

interface Position {
  readonly longitude: number
  readonly latitude: number
}

/** Shows the part of the map that has all positions. */
export function fitTo(map: MapLibre, positions: Iterable<Position>, options: FitBoundsOptions): void {
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const { longitude, latitude } of positions) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  map.fitBounds([west, south, east, north], { duration: 0, ...options })
}

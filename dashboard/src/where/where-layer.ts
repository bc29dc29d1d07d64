import type { Point } from '../../../src/domain/models/point.ts'
import type { Feature } from 'geojson'
import type { GeoJSONSource, Map as MapLibre, MapMouseEvent, Subscription } from 'maplibre-gl'
import { fitTo } from '../map/fit-to.ts'
import type { WhereQuestion } from './where-search.ts'

const CIRCLE = 'where-circle'
const FOUND = 'where-found'
const METERS_PER_DEGREE = 111_195
const CORNERS = 64

/** Layers of a map that show the circle of a question and where the vehicles were nearest. A click chooses the place. */
export class WhereLayer {
  private readonly subscription: Subscription

  constructor(
    private readonly map: MapLibre,
    onPick: (place: Point) => void,
  ) {
    const isDark = document.documentElement.dataset['theme'] === 'dark'
    const [line, halo] = isDark ? ['#7db3f5', '#0f151d'] : ['#1f5fae', '#ffffff']
    for (const id of [CIRCLE, FOUND]) map.addSource(id, { type: 'geojson', data: collection([]) })
    map.addLayer({
      id: `${CIRCLE}-area`,
      type: 'fill',
      source: CIRCLE,
      paint: { 'fill-color': line, 'fill-opacity': 0.15 },
    })
    map.addLayer({ id: CIRCLE, type: 'line', source: CIRCLE, paint: { 'line-color': line, 'line-width': 2 } })
    map.addLayer({
      id: FOUND,
      type: 'circle',
      source: FOUND,
      paint: {
        'circle-radius': 6,
        'circle-color': line,
        'circle-stroke-color': halo,
        'circle-stroke-width': 2,
      },
    })
    map.getCanvas().style.cursor = 'crosshair'
    this.subscription = map.on('click', ({ lngLat }: MapMouseEvent) => {
      const { lng: longitude, lat: latitude } = lngLat.wrap()
      onPick({ longitude, latitude })
    })
  }

  /** Draws the circle of a place. The map moves there unless it already shows the circle. */
  ask({ place, radius }: Pick<WhereQuestion, 'place' | 'radius'>): void {
    const corners = circleAround(place, radius)
    this.draw(CIRCLE, [
      { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [corners] } },
    ])
    const view = this.map.getBounds()
    const isShown = this.map.getZoom() > 9 && corners.every((corner) => view.contains(corner))
    if (isShown) return
    fitTo(
      this.map,
      corners.map(([longitude, latitude]) => ({ longitude, latitude })),
      { padding: 60 },
    )
  }

  /** Draws where vehicles were nearest. */
  answer(places: readonly Point[]): void {
    this.draw(
      FOUND,
      places.map(({ longitude, latitude }) => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
      })),
    )
    this.map.getContainer().dataset['found'] = String(places.length)
  }

  /** Stops the handler of clicks. The layers themselves go with the style. */
  stop(): void {
    this.subscription.unsubscribe()
    this.map.getCanvas().style.cursor = ''
  }

  private draw(id: string, features: Feature[]): void {
    ;(this.map.getSource(id) as GeoJSONSource | undefined)?.setData(collection(features))
  }
}

const collection = (features: Feature[]) => ({ type: 'FeatureCollection' as const, features })

function circleAround({ longitude, latitude }: Point, meters: number): [number, number][] {
  const north = meters / METERS_PER_DEGREE
  const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01)
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = (corner / CORNERS) * 2 * Math.PI
    return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)]
  })
}

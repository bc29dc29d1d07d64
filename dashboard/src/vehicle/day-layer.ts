import type { Feature, FeatureCollection, Geometry } from 'geojson'
import type { GeoJSONSource, Map as MapLibre, MapLayerMouseEvent, Subscription } from 'maplibre-gl'
import type { SafetyEvent } from './read-day.ts'
import type { DayEntry } from './day-entries.ts'
import { type Moment, nearestPoint, runsOf, type TrackPoint } from './track.ts'

/** Colors of the classes of speed, from slow to fast. They differ in lightness too. */
export const speedColors: readonly string[] = ['#6a3fb5', '#2f7fd6', '#17a589', '#e0a100', '#d9480f']

const TRACK = 'day-track'
const PLACES = 'day-places'
const MOMENT = 'day-moment'
const TRACK_LINE = 'day-track-line'

interface DayShown {
  readonly track: readonly TrackPoint[]
  readonly entries: readonly DayEntry[]
  readonly safetyEvents: readonly SafetyEvent[]
}

/** Layers of a map that show a day of a vehicle: its track by speed, its stops and events, and the moment of the replay. */
export class DayLayer {
  private readonly subscriptions: Subscription[] = []

  constructor(
    private readonly map: MapLibre,
    { track, entries, safetyEvents }: DayShown,
    private readonly onPick: (at: number) => void,
  ) {
    this.addSource(TRACK, trackFeatures(track))
    this.addSource(PLACES, placeFeatures(entries, safetyEvents))
    this.addSource(MOMENT, [])
    addLayers(map)
    const pick = ({ lngLat }: MapLayerMouseEvent) => {
      const point = nearestPoint(track, { longitude: lngLat.lng, latitude: lngLat.lat })
      if (point) this.onPick(point.at)
    }
    this.subscriptions.push(
      map.on('click', TRACK_LINE, pick),
      map.on('mouseenter', TRACK_LINE, () => (map.getCanvas().style.cursor = 'pointer')),
      map.on('mouseleave', TRACK_LINE, () => (map.getCanvas().style.cursor = '')),
    )
    map.getContainer().dataset['points'] = String(track.length)
  }

  /** Draws the vehicle where it was at a moment. */
  show(moment: Moment | null): void {
    const data = collection(moment === null ? [] : [point(moment, {})])
    ;(this.map.getSource(MOMENT) as GeoJSONSource | undefined)?.setData(data)
    this.map.getContainer().dataset['moment'] = moment
      ? `${moment.longitude.toFixed(5)},${moment.latitude.toFixed(5)}`
      : ''
  }

  /** Stops the handlers of clicks. The layers themselves go with the style. */
  stop(): void {
    for (const { unsubscribe } of this.subscriptions.splice(0)) unsubscribe()
  }

  private addSource(id: string, features: Feature[]): void {
    this.map.addSource(id, { type: 'geojson', data: collection(features) })
  }
}

const collection = (features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features })

const point = (
  { longitude, latitude }: { readonly longitude: number; readonly latitude: number },
  properties: Feature['properties'],
): Feature => feature({ type: 'Point', coordinates: [longitude, latitude] }, properties)

const feature = (geometry: Geometry, properties: Feature['properties']): Feature => ({
  type: 'Feature',
  properties,
  geometry,
})

const trackFeatures = (track: readonly TrackPoint[]): Feature[] =>
  runsOf(track).map(({ speedClass, coordinates }) =>
    feature(
      { type: 'LineString', coordinates: coordinates.map(([longitude, latitude]) => [longitude, latitude]) },
      { isGap: speedClass === 'gap', color: speedClass === 'gap' ? '' : speedColors[speedClass] },
    ),
  )

const placeFeatures = (entries: readonly DayEntry[], events: readonly SafetyEvent[]): Feature[] => [
  ...entries.flatMap((entry) =>
    entry.kind === 'stop' && entry.place ? [point(entry.place, { kind: 'stop' })] : [],
  ),
  ...events.flatMap(({ startLocation }) => (startLocation ? [point(startLocation, { kind: 'event' })] : [])),
]

function addLayers(map: MapLibre): void {
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  const halo = isDark ? '#0f151d' : '#ffffff'
  const ink = isDark ? '#f2f4f7' : '#16202c'
  map.addLayer({
    id: 'day-gaps',
    type: 'line',
    source: TRACK,
    filter: ['get', 'isGap'],
    paint: { 'line-color': ink, 'line-opacity': 0.5, 'line-width': 1.5, 'line-dasharray': [2, 2] },
  })
  map.addLayer({
    id: TRACK_LINE,
    type: 'line',
    source: TRACK,
    filter: ['!', ['get', 'isGap']],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': ['get', 'color'], 'line-width': 4 },
  })
  map.addLayer({
    id: 'day-places',
    type: 'circle',
    source: PLACES,
    paint: {
      'circle-radius': 6,
      'circle-color': ['match', ['get', 'kind'], 'event', '#c2413b', '#3f78d8'],
      'circle-stroke-color': halo,
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: 'day-moment',
    type: 'circle',
    source: MOMENT,
    paint: {
      'circle-radius': 9,
      'circle-color': ink,
      'circle-stroke-color': halo,
      'circle-stroke-width': 3,
    },
  })
}

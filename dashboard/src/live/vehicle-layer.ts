import type { Feature, Point } from 'geojson'
import type { GeoJSONSource, Map as MapLibre, MapMouseEvent, Subscription } from 'maplibre-gl'
import { type LiveVehicle, nameOf } from './live-vehicle.ts'
import type { VehicleState } from './vehicle-state.ts'

const SOURCE = 'vehicles'
const SELECTED = 'vehicle-selected'
const POINTS = 'vehicle-points'
const CLUSTERS = 'vehicle-clusters'

/** Colors of the states, which stay apart for people who see few colors; the legend has the same. */
export const stateColors: Readonly<Record<VehicleState, string>> = {
  driving: '#1a9e5c',
  idling: '#e0a100',
  stopped: '#3f78d8',
  silent: '#c2413b',
  unknown: '#8a8f98',
}

/** Handlers of clicks on the map. */
export interface VehicleLayerEvents {
  select(vehicleId: string): void
}

/** Layers of a map that show vehicles: clusters, points in the color of their state with a direction, and names. */
export class VehicleLayer {
  private readonly shown = new Map<string, LiveVehicle>()
  private readonly subscriptions: Subscription[] = []

  constructor(
    private readonly map: MapLibre,
    events: VehicleLayerEvents,
  ) {
    map.addSource(SOURCE, {
      type: 'geojson',
      data: { type: 'FeatureCollection', features: [] },
      promoteId: 'id',
      cluster: true,
      clusterRadius: 36,
      clusterMaxZoom: 9,
    })
    addImages(map)
    addLayers(map)
    this.subscriptions.push(
      map.on('click', POINTS, ({ features }) => {
        const id: unknown = features?.[0]?.properties['id']
        if (typeof id === 'string') events.select(id)
      }),
      map.on('click', CLUSTERS, (event) => void this.openCluster(event)),
    )
    for (const layer of [POINTS, CLUSTERS])
      this.subscriptions.push(
        map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer')),
        map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = '')),
      )
  }

  /** Stops the handlers of clicks. The layers themselves go with the style. */
  stop(): void {
    for (const { unsubscribe } of this.subscriptions.splice(0)) unsubscribe()
  }

  /** Shows these vehicles. Only what has changed since the last call is sent to the map. */
  update(vehicles: readonly LiveVehicle[]): void {
    const add: Feature<Point>[] = []
    const gone = new Set(this.shown.keys())
    for (const live of vehicles) {
      if (live.position === null) continue
      gone.delete(live.vehicle.id)
      if (this.shown.get(live.vehicle.id) === live) continue
      this.shown.set(live.vehicle.id, live)
      add.push(featureOf(live))
    }
    for (const id of gone) this.shown.delete(id)
    if (add.length > 0 || gone.size > 0) void this.source().updateData({ add, remove: [...gone] })
    this.map.getContainer().dataset['vehicles'] = String(this.shown.size)
  }

  /** Marks a vehicle; null marks none. */
  select(vehicleId: string | null): void {
    this.map.setFilter(SELECTED, ['==', ['get', 'id'], vehicleId ?? ''])
  }

  private source(): GeoJSONSource {
    return this.map.getSource(SOURCE) as GeoJSONSource
  }

  private async openCluster(event: MapMouseEvent): Promise<void> {
    const [cluster] = this.map.queryRenderedFeatures(event.point, { layers: [CLUSTERS] })
    const id: unknown = cluster?.properties['cluster_id']
    if (typeof id !== 'number') return
    const zoom = await this.source().getClusterExpansionZoom(id)
    this.map.easeTo({ center: event.lngLat, zoom: zoom + 0.5 })
  }
}

function featureOf({ vehicle, position, state }: LiveVehicle): Feature<Point> {
  const { longitude, latitude } = position?.location ?? { longitude: 0, latitude: 0 }
  return {
    type: 'Feature',
    id: vehicle.id,
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: {
      id: vehicle.id,
      name: nameOf(vehicle),
      state,
      heading: position?.heading ?? 0,
      isDriving: state === 'driving' && position?.heading != null,
    },
  }
}

const ARROW = 'vehicle-arrow'
const ARROW_PIXELS = 24

/** Adds the arrow that shows the direction of a vehicle, as a white triangle. */
function addImages(map: MapLibre): void {
  if (map.hasImage(ARROW)) return
  const canvas = document.createElement('canvas')
  canvas.width = ARROW_PIXELS
  canvas.height = ARROW_PIXELS
  const drawing = canvas.getContext('2d')
  if (!drawing) return
  drawing.fillStyle = '#fff'
  drawing.beginPath()
  drawing.moveTo(12, 3)
  drawing.lineTo(19, 20)
  drawing.lineTo(12, 16)
  drawing.lineTo(5, 20)
  drawing.fill()
  map.addImage(ARROW, drawing.getImageData(0, 0, ARROW_PIXELS, ARROW_PIXELS), { pixelRatio: 2 })
}

function addLayers(map: MapLibre): void {
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  const ink = isDark ? '#f2f4f7' : '#16202c'
  const halo = isDark ? '#0f151d' : '#ffffff'
  map.addLayer({
    id: CLUSTERS,
    type: 'circle',
    source: SOURCE,
    filter: ['has', 'point_count'],
    paint: {
      'circle-color': isDark ? '#dfe6ee' : '#24405e',
      'circle-radius': ['step', ['get', 'point_count'], 14, 10, 18, 100, 24, 1000, 30],
      'circle-stroke-color': halo,
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: 'vehicle-counts',
    type: 'symbol',
    source: SOURCE,
    filter: ['has', 'point_count'],
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-size': 12,
      'text-allow-overlap': true,
      'icon-allow-overlap': true,
    },
    paint: { 'text-color': isDark ? '#16202c' : '#ffffff' },
  })
  map.addLayer({
    id: SELECTED,
    type: 'circle',
    source: SOURCE,
    filter: ['==', ['get', 'id'], ''],
    paint: {
      'circle-color': 'rgba(0,0,0,0)',
      'circle-radius': 15,
      'circle-stroke-color': ink,
      'circle-stroke-width': 3,
    },
  })
  map.addLayer({
    id: POINTS,
    type: 'circle',
    source: SOURCE,
    filter: ['!', ['has', 'point_count']],
    paint: {
      'circle-color': ['match', ['get', 'state'], ...Object.entries(stateColors).flat(), '#8a8f98'] as never,
      'circle-radius': 9,
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: 'vehicle-arrows',
    type: 'symbol',
    source: SOURCE,
    filter: ['all', ['!', ['has', 'point_count']], ['get', 'isDriving']],
    layout: {
      'icon-image': ARROW,
      'icon-rotate': ['get', 'heading'],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
    },
  })
  map.addLayer({
    id: 'vehicle-names',
    type: 'symbol',
    source: SOURCE,
    minzoom: 6,
    filter: ['!', ['has', 'point_count']],
    layout: { 'text-field': ['get', 'name'], 'text-size': 12, 'text-offset': [0, 1.5], 'text-anchor': 'top' },
    paint: { 'text-color': ink, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  })
}

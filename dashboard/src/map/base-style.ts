import type { Feature, FeatureCollection, Geometry } from 'geojson'
import type { FilterSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import notoSans from '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2'

export type Theme = 'light' | 'dark'

/** Content of base-map.json and base-map-names.json, which `build/base-map.mjs` writes. */
interface BaseMap {
  readonly world: Topology<{ land: GeometryCollection; countries: GeometryCollection }>
  readonly states: Topology<{ states: GeometryCollection }>
  readonly provinceBorders: Geometry
  readonly lakes: FeatureCollection
}

interface BaseMapNames {
  readonly countries: readonly (readonly [name: string, longitude: number, latitude: number])[]
  readonly states: readonly (readonly [name: string, longitude: number, latitude: number])[]
  readonly cities: readonly (readonly [
    name: string,
    longitude: number,
    latitude: number,
    population: number,
  ])[]
}

interface Palette {
  readonly water: string
  readonly land: string
  readonly border: string
  readonly stateBorder: string
  readonly text: string
  readonly faintText: string
  readonly halo: string
}

const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    water: '#cddfe8',
    land: '#f6f4ee',
    border: '#8f98a3',
    stateBorder: '#c3c8ce',
    text: '#2c3845',
    faintText: '#66717d',
    halo: '#fbfaf7',
  },
  dark: {
    water: '#0d141b',
    land: '#1c2630',
    border: '#5a6672',
    stateBorder: '#37434f',
    text: '#c9d2db',
    faintText: '#8794a1',
    halo: '#141c24',
  },
}

const FONT = 'Noto Sans'

let loading: Promise<StyleSpecification['sources']> | undefined

/** Returns the style of the base map. Its data are read once. */
export async function baseStyle(theme: Theme): Promise<StyleSpecification> {
  loading ??= readSources().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return {
    version: 8,
    'font-faces': { [FONT]: new URL(notoSans, import.meta.url).href },
    sources: await loading,
    layers: layersOf(palettes[theme]),
  }
}

async function readSources(): Promise<StyleSpecification['sources']> {
  const [map, names] = await Promise.all([
    readJson<BaseMap>('base-map.json'),
    readJson<BaseMapNames>('base-map-names.json'),
  ])
  const { world, states } = map
  return {
    land: source(feature(world, world.objects.land)),
    lakes: source(map.lakes, 'Natural Earth, GeoNames'),
    borders: source(line(mesh(world, world.objects.countries, (one, other) => one !== other))),
    states: source({
      type: 'FeatureCollection',
      features: [
        line(mesh(states, states.objects.states, (one, other) => one !== other)),
        line(map.provinceBorders),
      ],
    }),
    countryNames: source(points(names.countries)),
    stateNames: source(points(names.states)),
    cities: source(points(names.cities)),
  }
}

async function readJson<Content>(file: string): Promise<Content> {
  const response = await fetch(new URL(`./${file}`, import.meta.url))
  if (!response.ok) throw new Error(`The base map cannot be read: status ${response.status}.`)
  return (await response.json()) as Content
}

const source = (data: Feature | FeatureCollection, attribution?: string) => ({
  type: 'geojson' as const,
  data,
  ...(attribution === undefined ? {} : { attribution }),
})

const line = (geometry: Geometry): Feature => ({ type: 'Feature', properties: {}, geometry })

const points = (
  names: readonly (readonly [name: string, longitude: number, latitude: number, population?: number])[],
): FeatureCollection => ({
  type: 'FeatureCollection',
  features: names.map(([name, longitude, latitude, population]) => ({
    type: 'Feature',
    properties: { name, population: population ?? 0 },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  })),
})

function layersOf({
  water,
  land,
  border,
  stateBorder,
  text,
  faintText,
  halo,
}: Palette): LayerSpecification[] {
  const names = { 'text-field': ['get', 'name'] as ['get', string], 'text-font': [FONT] }
  return [
    { id: 'water', type: 'background', paint: { 'background-color': water } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
    { id: 'lakes', type: 'fill', source: 'lakes', paint: { 'fill-color': water } },
    {
      id: 'state-borders',
      type: 'line',
      source: 'states',
      minzoom: 2.5,
      paint: { 'line-color': stateBorder, 'line-width': 1 },
    },
    { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': border, 'line-width': 1.2 } },
    {
      id: 'city-dots',
      type: 'circle',
      source: 'cities',
      filter: CITIES_BY_ZOOM,
      minzoom: 4,
      paint: { 'circle-radius': 2, 'circle-color': faintText },
    },
    {
      id: 'state-names',
      type: 'symbol',
      source: 'stateNames',
      minzoom: 3.5,
      maxzoom: 7,
      layout: { ...names, 'text-size': 11, 'text-letter-spacing': 0.08 },
      paint: { 'text-color': faintText, 'text-halo-color': halo, 'text-halo-width': 1, 'text-opacity': 0.8 },
    },
    {
      id: 'city-names',
      type: 'symbol',
      source: 'cities',
      minzoom: 3,
      filter: CITIES_BY_ZOOM,
      layout: {
        ...names,
        'text-size': ['interpolate', ['linear'], ['get', 'population'], 50_000, 11, 2_000_000, 14],
        'symbol-sort-key': ['-', ['get', 'population']],
        'text-anchor': 'bottom',
        'text-offset': [0, -0.3],
      },
      paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.4 },
    },
    {
      id: 'country-names',
      type: 'symbol',
      source: 'countryNames',
      maxzoom: 5,
      layout: { ...names, 'text-size': 13, 'text-transform': 'uppercase', 'text-letter-spacing': 0.1 },
      paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.4 },
    },
  ]
}

/** The closer the map, the smaller the cities that it shows. */
const CITIES_BY_ZOOM: FilterSpecification = [
  '>=',
  ['get', 'population'],
  ['step', ['zoom'], 2_000_000, 4, 700_000, 5, 250_000, 6, 100_000, 7, 40_000, 8, 0],
]

/** Font of every label on the map. */
export const mapFont: string[] = [FONT]

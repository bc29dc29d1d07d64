import type { Feature, FeatureCollection, Geometry } from 'geojson'
import type { FilterSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { feature, mesh } from 'topojson-client'
import { type BaseMap, baseMap, type BaseMapNames, baseMapNames } from './base-map-data.ts'
import type { NamedPlace } from './nearest-place.ts'
import notoSans from '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2'

export type Theme = 'light' | 'dark'

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

/** Returns the style of the base map. */
export async function baseStyle(theme: Theme): Promise<StyleSpecification> {
  const [map, names] = await Promise.all([baseMap(), baseMapNames()])
  return {
    version: 8,
    'font-faces': { [FONT]: new URL(notoSans, import.meta.url).href },
    sources: sourcesOf(map, names),
    layers: layersOf(palettes[theme]),
  }
}

function sourcesOf(
  { world, states, provinceBorders, lakes }: BaseMap,
  names: BaseMapNames,
): StyleSpecification['sources'] {
  return {
    land: source(feature(world, world.objects.land)),
    lakes: source(lakes, 'Natural Earth, GeoNames'),
    borders: source(line(mesh(world, world.objects.countries, (one, other) => one !== other))),
    states: source({
      type: 'FeatureCollection',
      features: [
        line(mesh(states, states.objects.states, (one, other) => one !== other)),
        line(provinceBorders),
      ],
    }),
    countryNames: source(points(names.countries)),
    stateNames: source(points(names.states)),
    cities: source(points(names.cities)),
  }
}

const source = (data: Feature | FeatureCollection, attribution?: string) => ({
  type: 'geojson' as const,
  data,
  ...(attribution === undefined ? {} : { attribution }),
})

const line = (geometry: Geometry): Feature => ({ type: 'Feature', properties: {}, geometry })

const points = (names: readonly NamedPlace[]): FeatureCollection => ({
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

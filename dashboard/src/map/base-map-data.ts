import type { FeatureCollection, Geometry } from 'geojson'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { NamedPlace } from './nearest-place.ts'

/** Content of base-map.json, which `build/base-map.mjs` writes. */
export interface BaseMap {
  readonly world: Topology<{ land: GeometryCollection; countries: GeometryCollection }>
  readonly states: Topology<{ states: GeometryCollection }>
  readonly provinceBorders: Geometry
  readonly lakes: FeatureCollection
}

/** Content of base-map-names.json. Cities are in the order of their population. */
export interface BaseMapNames {
  readonly countries: readonly NamedPlace[]
  readonly states: readonly NamedPlace[]
  readonly cities: readonly NamedPlace[]
}

export const baseMap = once(() => readJson<BaseMap>('base-map.json'))
export const baseMapNames = once(() => readJson<BaseMapNames>('base-map-names.json'))

/** Returns a function that reads a file the first time only. A failure is not kept. */
function once<Content>(read: () => Promise<Content>): () => Promise<Content> {
  let reading: Promise<Content> | undefined
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
}

async function readJson<Content>(file: string): Promise<Content> {
  const response = await fetch(new URL(`./${file}`, import.meta.url))
  if (!response.ok) throw new Error(`The base map cannot be read: status ${response.status}.`)
  return (await response.json()) as Content
}

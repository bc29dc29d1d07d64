import type { Point } from '../../../domain/models/point.ts'
import type { MerchantPlace } from '../rules/purchase-facts.ts'

/** Content of places.json. */
export interface PlaceTable {
  readonly notice: string
  /** Codes of states by country and name, such as `TEXAS`. Names are as `wordOf` returns them. */
  readonly stateNames: ByCountry<string>
  /** Postal codes by country and the first characters of the code: three in the US, one in Canada. */
  readonly postalCodes: ByCountry<PlaceGroup>
  /** Cities by country and the code of the state. */
  readonly cities: ByCountry<PlaceGroup>
}

type ByCountry<Value> = Readonly<Partial<Record<string, Readonly<Partial<Record<string, Value>>>>>>

/**
 * Places near each other as a text, such as `3027 -9774 TX;01:0 0 32;02:-1 2 30;`. First the latitude and longitude of
 * its origin in hundredths of a degree, and the states of its postal codes. Then the key of each place, its offset from
 * the origin and its accuracy in hundreds of meters.
 */
export type PlaceGroup = string

/** Area that a table knows. Its point is at most `accuracyMeters` from all merchants of the area. */
export type Area = Omit<MerchantPlace, 'source'>

const STEPS_PER_DEGREE = 100
const METERS_PER_STEP = 100

/** Returns a point on the grid of the table. */
export const onGrid = ({ latitude, longitude }: Point): Point => ({
  latitude: Math.round(latitude * STEPS_PER_DEGREE) / STEPS_PER_DEGREE,
  longitude: Math.round(longitude * STEPS_PER_DEGREE) / STEPS_PER_DEGREE,
})

/** Formats areas whose points are on the grid. Their accuracy is rounded up. */
export function formatGroup(areas: ReadonlyMap<string, Area>, states: readonly string[] = []): PlaceGroup {
  const steps = [...areas].map(([key, area]) => ({
    key,
    latitude: Math.round(area.latitude * STEPS_PER_DEGREE),
    longitude: Math.round(area.longitude * STEPS_PER_DEGREE),
    accuracy: Math.ceil(area.accuracyMeters / METERS_PER_STEP),
  }))
  const latitude = middle(steps.map((area) => area.latitude))
  const longitude = middle(steps.map((area) => area.longitude))
  const places = steps
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map((area) => `${area.key}:${area.latitude - latitude} ${area.longitude - longitude} ${area.accuracy};`)
  return `${[latitude, longitude, ...states].join(' ')};${places.join('')}`
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Returns the area of a key; null if the group does not have it. */
export function areaOf(group: PlaceGroup, key: string): Area | null {
  const start = group.indexOf(`;${key}:`)
  if (start < 0) return null
  const end = group.indexOf(';', start + 1)
  const [north = 0, east = 0, accuracy = 0] = group
    .slice(start + key.length + 2, end)
    .split(' ')
    .map(Number)
  const [latitude = 0, longitude = 0] = headOf(group).map(Number)
  return {
    latitude: (latitude + north) / STEPS_PER_DEGREE,
    longitude: (longitude + east) / STEPS_PER_DEGREE,
    accuracyMeters: accuracy * METERS_PER_STEP,
  }
}

/** Returns the states of the postal codes in a group. */
export const statesOf = (group: PlaceGroup): string[] => headOf(group).slice(2)

const headOf = (group: PlaceGroup): string[] => group.slice(0, group.indexOf(';')).split(' ')

const LONG_WORDS: Readonly<Partial<Record<string, string>>> = {
  ST: 'SAINT',
  STE: 'SAINTE',
  FT: 'FORT',
  MT: 'MOUNT',
}

/** Returns the form in which names are compared: `St. Louis` and `SAINT LOUIS` give `SAINTLOUIS`. */
export const wordOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => LONG_WORDS[word] ?? word)
    .join('')

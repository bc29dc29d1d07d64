import { describe, expect, test } from 'vitest'
import { placeOf } from '../../../src/subgraphs/purchases/evidence/merchant-place.ts'
import type { FoundSite } from '../../../src/subgraphs/purchases/evidence/find-known-places.ts'
import { matchKeyOf } from '../../../src/subgraphs/purchases/sites/match-key.ts'
import { siteValuesOf } from '../../../src/subgraphs/purchases/sites/set-sites.ts'

const APPLICATION = 'app_01'
const LOVES = { name: "Love's Travel Stop #322", postalCode: '52773', country: 'US' }
const keyOf = (values: Partial<typeof LOVES>, application = APPLICATION) =>
  matchKeyOf(application, { ...LOVES, ...values })

describe('the match key of a site', () => {
  test.each([
    ['the case of the name', { name: "LOVE'S TRAVEL STOP #322" }],
    ['punctuation and spaces', { name: 'LOVES TRAVEL  STOP 322 ' }],
    ['accents', { name: 'Lovés Travel Stop 322' }],
    ['the last four digits of a ZIP code', { postalCode: '52773-1234' }],
    ['nine digits without a hyphen', { postalCode: ' 527731234' }],
  ])('is the same whatever %s', (_, values) => {
    expect(keyOf(values)).toBe(keyOf({}))
  })

  test.each([
    ['name', { name: "Love's Travel Stop #323" }],
    ['postal code', { postalCode: '52774' }],
    ['country', { country: 'MX' }],
  ])('is another one for another %s', (_, values) => {
    expect(keyOf(values)).not.toBe(keyOf({}))
  })

  test('is another one for another application', () => {
    expect(keyOf({}, 'app_02')).not.toBe(keyOf({}))
  })

  test.each(['Shell Oil', '7-Eleven', 'Route 66 Fuel'])(
    'is missing for %s, which has no store number',
    (name) => {
      expect(keyOf({ name })).toBeNull()
    },
  )

  test('has the whole postal code outside the US, without spaces', () => {
    const canadian = (postalCode: string) => keyOf({ country: 'CA', postalCode })
    expect(canadian('m5v3a1')).toBe(canadian('M5V 3A1'))
    expect(canadian('M5V 3A2')).not.toBe(canadian('M5V 3A1'))
    expect(keyOf({ country: 'MX', postalCode: '012345' })).not.toBe(
      keyOf({ country: 'MX', postalCode: '012346' }),
    )
  })

  test.each([
    ['a postal code', { ...LOVES, postalCode: null }],
    ['a country', { ...LOVES, country: null }],
    ['letters and digits in the name', { ...LOVES, name: '-' }],
    ['characters in the postal code', { ...LOVES, postalCode: ' - ' }],
  ])('is missing without %s', (_, values) => {
    expect(matchKeyOf(APPLICATION, values)).toBeNull()
  })
})

const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
const site = (siteId: string, radiusMeters: number): FoundSite => ({
  siteId,
  longitude: -97.7,
  latitude: 30.3,
  radiusMeters,
})

describe('the place of a merchant with sites', () => {
  const address = { country: 'US', postalCode: '78701', city: 'Austin', state: 'TX' }
  const [named, matched] = [site('named', 150), site('matched', 80)]

  test('is first that of the site that it names, with its radius', async () => {
    expect(await placeOf({ coordinates: AUSTIN, address }, { named, matched })).toEqual({
      longitude: -97.7,
      latitude: 30.3,
      accuracyMeters: 150,
      source: 'site',
      siteId: 'named',
    })
  })

  test('is then that of its coordinates, before a site that matches', async () => {
    expect(await placeOf({ coordinates: AUSTIN, address }, { matched })).toMatchObject({
      ...AUSTIN,
      source: 'coordinates',
    })
  })

  test('is then that of the site that matches, even if the address contradicts itself', async () => {
    const place = { source: 'site', siteId: 'matched', accuracyMeters: 80 }
    expect(await placeOf({ address }, { matched })).toMatchObject(place)
    expect(await placeOf({ address: { ...address, state: 'AK' } }, { matched })).toMatchObject(place)
  })

  test('is then that of its postal code and its city', async () => {
    expect(await placeOf({ address }, {})).toMatchObject({ source: 'postal_code' })
    expect(await placeOf({ address: { ...address, postalCode: null } }, {})).toMatchObject({ source: 'city' })
    expect(await placeOf({}, {})).toBeNull()
  })
})

test('a site has a radius of 100 m by default', () => {
  const input = { siteId: 'site', name: 'Station', coordinates: AUSTIN }
  expect(siteValuesOf(input)).toMatchObject({ ...AUSTIN, radiusMeters: 100, postalCode: null })
  expect(siteValuesOf({ ...input, radiusMeters: 5000 }).radiusMeters).toBe(5000)
})

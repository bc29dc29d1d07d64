import { describe, expect, test } from 'vitest'
import { placeOf } from '../../../src/subgraphs/purchases/evidence/merchant-place.ts'
import {
  learntFrom,
  type Sighting,
  withSighting,
} from '../../../src/subgraphs/purchases/learnt-places/sightings.ts'
import { brandKeyOf } from '../../../src/subgraphs/purchases/sites/match-key.ts'

const AUSTIN = { longitude: -97.743, latitude: 30.267 }
const NOON = Date.UTC(2026, 5, 1, 12)
const DAY = 86_400_000
const METERS_PER_DEGREE = 111_200

/** Sighting of a vehicle some meters north of the center of Austin. */
const sighting = (vehicle: number, metersNorth = 0, isFarFromAddress = false): Sighting => ({
  longitude: AUSTIN.longitude,
  latitude: AUSTIN.latitude + metersNorth / METERS_PER_DEGREE,
  vehicleId: `vcl_${vehicle}`,
  seenAt: NOON,
  isFarFromAddress,
})

describe('sightings of a merchant', () => {
  test('show its place if three of two vehicles are close to each other', () => {
    expect(learntFrom([sighting(1), sighting(2)]).point).toBeNull()
    expect(learntFrom([sighting(1), sighting(1), sighting(1), sighting(1)]).point).toBeNull()
    expect(learntFrom([sighting(1), sighting(1), sighting(2)]).point).toEqual(AUSTIN)
  })

  test('show the place in the middle, whatever a single one says', () => {
    const there = [-60, -20, 0, 20, 60].map((meters, at) => sighting(at, meters))
    expect(learntFrom([...there, sighting(9, 40_000)]).point).toMatchObject({
      latitude: expect.closeTo(AUSTIN.latitude, 3),
    })
  })

  test('show no place if they are in several', () => {
    const stores = [0, 4000, 0, 4000, 0].map((meters, at) => sighting(at, meters))
    expect(learntFrom(stores).point).toBeNull()
  })

  test('show that the address is wrong if three of two vehicles are far from it', () => {
    const far = (vehicle: number, at: number) => sighting(vehicle, 90_000 * at, true)
    expect(learntFrom([far(1, 1), far(2, 2), sighting(3)]).isAddressWrong).toBe(false)
    expect(learntFrom([far(1, 1), far(1, 2), far(1, 3)]).isAddressWrong).toBe(false)
    expect(learntFrom([far(1, 1), far(1, 2), sighting(3), far(2, 3)])).toEqual({
      point: null,
      isAddressWrong: true,
    })
  })

  test('show a wrong address only if half of them are far from it', () => {
    const far = [sighting(1, 0, true), sighting(2, 0, true), sighting(3, 0, true)]
    const near = (count: number) => Array.from({ length: count }, (_, at) => sighting(at))
    expect(learntFrom([...far, ...near(3)]).isAddressWrong).toBe(true)
    expect(learntFrom([...far, ...near(4)]).isAddressWrong).toBe(false)
  })

  test('show a place that is the position of no vehicle', () => {
    const exact = { longitude: -97.743_21, latitude: 30.267_48 }
    const point = learntFrom([1, 2, 3].map((vehicle) => ({ ...sighting(vehicle), ...exact }))).point
    expect(point).toEqual(AUSTIN)
  })

  test('count for half a year', () => {
    const old = [sighting(1), sighting(2), sighting(3)]
    const later = (days: number) => ({ ...sighting(4, 9000), seenAt: NOON + days * DAY })
    expect(withSighting(old, later(179))).toHaveLength(4)
    expect(withSighting(old, later(181))).toEqual([later(181)])
  })

  test('are the last twenty', () => {
    let sightings: Sighting[] = [sighting(1, 0, true), sighting(2, 0, true), sighting(3, 0, true)]
    for (let at = 0; at < 18; at++) sightings = withSighting(sightings, sighting(4))
    expect(sightings).toHaveLength(20)
    expect(learntFrom(sightings).isAddressWrong).toBe(false)
  })
})

describe('the place of a merchant with sightings', () => {
  const address = { country: 'US', postalCode: '37909', city: 'Knoxville', state: 'TN' }
  const learnt = { ...AUSTIN, sightings: 4 }

  test('is learnt, before its address', async () => {
    const place = { ...AUSTIN, accuracyMeters: 500, source: 'learnt', sightings: 4 }
    for (const isAddressWrong of [false, true])
      expect(await placeOf({ address }, { learnt, isAddressWrong })).toMatchObject(place)
  })

  test('has the area of its address, to which it may have moved', async () => {
    expect(await placeOf({ address }, { learnt })).toMatchObject({ area: { source: 'postal_code' } })
    expect(await placeOf({ address: { country: 'US' } }, { learnt })).toMatchObject({ area: null })
  })

  test('is unknown if only its address is known, and is wrong', async () => {
    expect(await placeOf({ address }, {})).toMatchObject({ source: 'postal_code' })
    expect(await placeOf({ address }, { isAddressWrong: true })).toBeNull()
  })

  test('is that of its coordinates all the same', async () => {
    const given = { longitude: -98, latitude: 30 }
    expect(await placeOf({ coordinates: given, address }, { learnt, isAddressWrong: true })).toMatchObject(
      given,
    )
  })
})

describe('the key of a brand', () => {
  const keyOf = (name: string, postalCode = '37909') =>
    brandKeyOf('conn_1', { name, postalCode, country: 'US' })

  test('is the same for all store numbers', () => {
    expect(keyOf('Milepost #101')).toBe(keyOf('MILEPOST 2204'))
    expect(keyOf('Milepost')).toBe(keyOf('Milepost #101'))
  })

  test('is another one for another name, postal code or owner', () => {
    expect(keyOf('Prairie Gas')).not.toBe(keyOf('Milepost'))
    expect(keyOf('Milepost', '37910')).not.toBe(keyOf('Milepost'))
    expect(brandKeyOf('conn_2', { name: 'Milepost', postalCode: '37909', country: 'US' })).not.toBe(
      keyOf('Milepost'),
    )
  })

  test('is missing without letters, a postal code or a country', () => {
    expect(keyOf('# 17')).toBeNull()
    expect(keyOf('Milepost', '-')).toBeNull()
    expect(brandKeyOf('conn_1', { name: 'Milepost', postalCode: '37909', country: null })).toBeNull()
  })
})

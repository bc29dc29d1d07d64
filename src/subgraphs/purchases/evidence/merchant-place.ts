import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'
import type { Merchant, MerchantAddress } from '../merchant.ts'
import { MerchantPlaceSource } from './merchant-place-source.ts'
import type { FoundSite, KnownPlaces, LearntPlace } from './find-known-places.ts'
import { LEARNT_ACCURACY_METERS } from '../learnt-places/sightings.ts'
import { type Area, areaOf, type PlaceTable, statesOf, wordOf } from '../places/place-table.ts'
import type { MerchantPlace } from '../rules/purchase-facts.ts'

/** Coordinates of a merchant may be those of its shop, so a pump may be this far away. */
const COORDINATES_ACCURACY_METERS = 50

/** Postal codes by country, as the name of their group in the table, and their key in the group. */
const postalCodes: Readonly<Partial<Record<string, RegExp>>> = {
  US: /^(\d{3})(\d{2})(?:-?\d{4})?$/,
  CA: /^([A-Z])(\d[A-Z])/,
}

/**
 * Returns the place of a merchant by the site that it names, else by its coordinates, the site that matches it, confirmed
 * purchases, its postal code, or its city and state. Null if none of them is known, if the parts of the address contradict
 * each other, or if purchases show that the address is wrong.
 */
export async function placeOf(
  { coordinates, address }: Pick<Merchant, 'coordinates' | 'address'>,
  { named, matched, learnt, isAddressWrong = false }: KnownPlaces = {},
): Promise<MerchantPlace | null> {
  if (named) return placeOfSite(named)
  if (coordinates)
    return {
      longitude: coordinates.longitude,
      latitude: coordinates.latitude,
      accuracyMeters: COORDINATES_ACCURACY_METERS,
      source: MerchantPlaceSource.COORDINATES,
    }
  if (matched) return placeOfSite(matched)
  if (learnt) return learntPlace(learnt, address ? placeOfAddress(await loadPlaceTable(), address) : null)
  return address && !isAddressWrong ? placeOfAddress(await loadPlaceTable(), address) : null
}

/** Returns the distance in km from a point to the area of a postal code; null if the table lacks the code. */
export async function kilometersFromPostalCode(
  point: Point,
  address: Pick<MerchantAddress, 'postalCode' | 'country'>,
): Promise<number | null> {
  const found = areaOfPostalCode(await loadPlaceTable(), address)
  return found && Math.max(0, kilometersBetween(point, found.area) - found.area.accuracyMeters / 1000)
}

const placeOfSite = ({ siteId, longitude, latitude, radiusMeters }: FoundSite): MerchantPlace => ({
  longitude,
  latitude,
  accuracyMeters: radiusMeters,
  source: MerchantPlaceSource.SITE,
  siteId,
})

const learntPlace = (place: LearntPlace, area: MerchantPlace | null): MerchantPlace => ({
  ...place,
  area,
  accuracyMeters: LEARNT_ACCURACY_METERS,
  source: MerchantPlaceSource.LEARNT,
})

let loading: Promise<PlaceTable> | undefined

/** Returns the table of places. It is loaded at the first call. */
export const loadPlaceTable = (): Promise<PlaceTable> => (loading ??= readPlaceTable())

async function readPlaceTable(): Promise<PlaceTable> {
  const { default: table } = await import('../places/places.json', { with: { type: 'json' } })
  return table
}

/**
 * Returns the two letters of the state or province of an address in the US or Canada. Null if it names none, or its postal
 * code is in another one.
 */
export async function jurisdictionOfAddress(address: MerchantAddress): Promise<string | null> {
  if (!(address.country in postalCodes)) return null
  const table = await loadPlaceTable()
  const states = areaOfPostalCode(table, address)?.states
  const state = stateOf(table, address) ?? (states?.length === 1 ? states[0]! : null)
  return state !== null && states?.includes(state) !== false ? state : null
}

function placeOfAddress(table: PlaceTable, address: MerchantAddress): MerchantPlace | null {
  const state = stateOf(table, address)
  const byCode = areaOfPostalCode(table, address)
  const byCity = areaOfCity(table, address, state)
  if (!byCode) return byCity && { ...byCity, source: MerchantPlaceSource.CITY }
  const isContradicted =
    (state !== null && !byCode.states.includes(state)) || (byCity !== null && !doMeet(byCode.area, byCity))
  return isContradicted ? null : { ...byCode.area, source: MerchantPlaceSource.POSTAL_CODE }
}

/** Returns the code of the state; null if the country has no such state. */
function stateOf({ stateNames, cities }: PlaceTable, { country, state }: MerchantAddress): string | null {
  if (!state) return null
  const code = stateNames[country]?.[wordOf(state)] ?? state.trim().toUpperCase()
  return cities[country]?.[code] === undefined ? null : code
}

function areaOfPostalCode(
  table: PlaceTable,
  { country, postalCode }: Pick<MerchantAddress, 'postalCode' | 'country'>,
) {
  const code = (postalCode ?? '').replaceAll(/\s/g, '').toUpperCase()
  const [, start = '', rest = ''] = postalCodes[country]?.exec(code) ?? []
  const group = table.postalCodes[country]?.[start]
  const area = group ? areaOf(group, rest) : null
  return group && area ? { area, states: statesOf(group) } : null
}

function areaOfCity(
  table: PlaceTable,
  { country, city }: MerchantAddress,
  state: string | null,
): Area | null {
  const group = state && table.cities[country]?.[state]
  return group && city ? areaOf(group, wordOf(city)) : null
}

const doMeet = (one: Area, other: Area): boolean =>
  kilometersBetween(one, other) * 1000 <= one.accuracyMeters + other.accuracyMeters

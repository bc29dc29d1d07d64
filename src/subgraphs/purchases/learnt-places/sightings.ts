import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'
import type { Instant } from '../../../domain/time.ts'
import { rounded } from '../../../domain/units.ts'

/** Where a vehicle stood while a purchase filled its tank. */
export interface Sighting extends Point {
  readonly vehicleId: string
  readonly seenAt: Instant
  /** Whether it was far from the address of the merchant. */
  readonly isFarFromAddress: boolean
}

/** What sightings show about a merchant. */
export interface LearntMerchant {
  /** Where the pumps are; null if the sightings do not show one place. */
  readonly point: Point | null
  readonly isAddressWrong: boolean
}

/** Sightings that are kept of a merchant. */
const KEPT_SIGHTINGS = 20
/** Older sightings show nothing: the merchant may have moved. */
export const SIGHTINGS_KEPT_MS = 180 * 86_400_000
/** Fewer sightings, or those of fewer vehicles, show nothing: a thief cannot move a merchant with one vehicle. */
const MIN_SIGHTINGS = 3
const MIN_VEHICLES = 2
/** Pumps of one place, and positions of the vehicles at them, are so close to its middle. */
export const LEARNT_ACCURACY_METERS = 500
/** Share of the sightings that must be at the place. */
const MIN_SHARE_AT_PLACE = 0.8
/** Share of the sightings that must be far from a wrong address. */
const MIN_SHARE_FAR = 0.5
/** A place is exact to about 100 m, so that it shows no single position of a vehicle. */
const DECIMALS = 3

export const withSighting = (sightings: readonly Sighting[], sighting: Sighting): Sighting[] =>
  [...sightings, sighting]
    .filter(({ seenAt }) => seenAt > sighting.seenAt - SIGHTINGS_KEPT_MS)
    .slice(-KEPT_SIGHTINGS)

/** Returns what sightings show. */
export function learntFrom(sightings: readonly Sighting[]): LearntMerchant {
  const far = sightings.filter(({ isFarFromAddress }) => isFarFromAddress)
  return {
    point: placeOfAll(sightings),
    isAddressWrong: isEnough(far) && far.length >= MIN_SHARE_FAR * sightings.length,
  }
}

function placeOfAll(sightings: readonly Sighting[]): Point | null {
  const middle = {
    longitude: rounded(medianOf(sightings.map(({ longitude }) => longitude)), DECIMALS),
    latitude: rounded(medianOf(sightings.map(({ latitude }) => latitude)), DECIMALS),
  }
  const there = sightings.filter((one) => kilometersBetween(one, middle) * 1000 <= LEARNT_ACCURACY_METERS)
  return isEnough(there) && there.length >= MIN_SHARE_AT_PLACE * sightings.length ? middle : null
}

const isEnough = (sightings: readonly Sighting[]): boolean =>
  sightings.length >= MIN_SIGHTINGS &&
  new Set(sightings.map(({ vehicleId }) => vehicleId)).size >= MIN_VEHICLES

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

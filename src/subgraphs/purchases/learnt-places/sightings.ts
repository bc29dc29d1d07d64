import { kilometersBetween } from '../../../domain/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'

/** Where a vehicle stood while a purchase filled its tank. */
export interface Sighting extends Point {
  readonly vehicleId: string
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
/** Fewer sightings, or those of fewer vehicles, show nothing: a thief cannot move a merchant with one vehicle. */
const MIN_SIGHTINGS = 3
const MIN_VEHICLES = 2
/** Pumps of one place, and positions of the vehicles at them, are so close to its middle. */
export const LEARNT_ACCURACY_METERS = 500
/** Share of the sightings that must be at the place. */
const MIN_SHARE = 0.8

export const withSighting = (sightings: readonly Sighting[], sighting: Sighting): Sighting[] =>
  [...sightings, sighting].slice(-KEPT_SIGHTINGS)

/** Returns what sightings show. */
export const learntFrom = (sightings: readonly Sighting[]): LearntMerchant => ({
  point: placeOfAll(sightings),
  isAddressWrong: isEnough(sightings.filter(({ isFarFromAddress }) => isFarFromAddress)),
})

function placeOfAll(sightings: readonly Sighting[]): Point | null {
  const middle = {
    longitude: medianOf(sightings.map(({ longitude }) => longitude)),
    latitude: medianOf(sightings.map(({ latitude }) => latitude)),
  }
  const there = sightings.filter((one) => kilometersBetween(one, middle) * 1000 <= LEARNT_ACCURACY_METERS)
  return isEnough(there) && there.length >= MIN_SHARE * sightings.length ? middle : null
}

const isEnough = (sightings: readonly Sighting[]): boolean =>
  sightings.length >= MIN_SIGHTINGS &&
  new Set(sightings.map(({ vehicleId }) => vehicleId)).size >= MIN_VEHICLES

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

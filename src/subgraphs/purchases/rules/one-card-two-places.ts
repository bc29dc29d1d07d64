import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import { type MerchantPlace, type OtherPurchase, type Purchase, unknownPlaceText } from './purchase-facts.ts'
import { type Rule, unknown, upTo, passIf } from './rule.ts'

export interface OneCardTwoPlacesLimits {
  readonly maxSpeedKmh: number
}

/** Times of purchases are exact to a minute: networks and clocks delay them. */
const TIME_ACCURACY_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * No other purchase with the card or for the vehicle is so far away that no vehicle can drive there in time. Declined
 * purchases do not count: otherwise a thief could block the card of an honest driver.
 */
export const oneCardTwoPlaces: Rule<OneCardTwoPlacesLimits> = {
  unit: 'km/h',
  evaluate({ purchase, others }, { maxSpeedKmh }) {
    const { place } = purchase
    if (!place) return unknown(unknownPlaceText(purchase), maxSpeedKmh)
    if (!others) return unknown('The other purchases were not read in time.', maxSpeedKmh)
    const relevant = others.filter(({ isDeclined }) => !isDeclined)
    const speeds = relevant.flatMap((other) =>
      other.place ? [speedBetween(purchase, place, other, other.place)] : [],
    )
    if (relevant.length === 0) return { ...passIf(true, 'No other purchase is known.'), limit: maxSpeedKmh }
    if (speeds.length === 0) return unknown('The places of the other purchases are unknown.', maxSpeedKmh)
    const speed = Math.max(...speeds)
    return upTo(
      speed,
      maxSpeedKmh,
      `Between two purchases the vehicle drove at ${Math.round(speed)} km/h at least.`,
    )
  },
}

/** Returns the lowest speed at which a vehicle can have been at both purchases. */
function speedBetween(
  purchase: Purchase,
  place: MerchantPlace,
  other: OtherPurchase,
  otherPlace: MerchantPlace,
): number {
  const inaccuracy = (place.accuracyMeters + otherPlace.accuracyMeters) / 1000
  const kilometers = Math.max(0, kilometersBetween(place, otherPlace) - inaccuracy)
  const hours = (Math.abs(purchase.purchasedAt - other.purchasedAt) + TIME_ACCURACY_MS) / HOUR_MS
  return kilometers / hours
}

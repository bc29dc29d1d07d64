import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import { positionAgeSeconds, type PurchaseFacts, unknownPlaceText } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface NearMerchantLimits {
  readonly maxDistanceMeters: number
  /** Speed at which the vehicle may have driven since its position was measured. */
  readonly maxSpeedKmh: number
  /** An older position does not show that the vehicle was too far away. */
  readonly maxAgeSeconds: number
}

/** Returns the distance between the vehicle and the merchant; null if the place of one of them is unknown. */
export const distanceMeters = ({ purchase, position }: PurchaseFacts): number | null =>
  position && purchase.place ? kilometersBetween(position.point, purchase.place) * 1000 : null

/** Returns how far the vehicle can have driven between its position and the purchase. */
export function reachableMeters(facts: PurchaseFacts, { maxSpeedKmh }: NearMerchantLimits): number | null {
  const ageSeconds = positionAgeSeconds(facts)
  return ageSeconds === null ? null : (ageSeconds * maxSpeedKmh) / 3.6
}

/** Whether a merchant with a learnt place can have moved within the area of its address to where the vehicle was. */
function isNearAddress({ purchase, position }: PurchaseFacts, limit: number): boolean {
  const area = purchase.place?.area
  return Boolean(
    area && position && kilometersBetween(position.point, area) * 1000 - area.accuracyMeters <= limit,
  )
}

/** The vehicle can have been at the merchant: its distance less the inaccuracy of the place is within reach. */
export const nearMerchant: Rule<NearMerchantLimits> = {
  unit: 'meters',
  evaluate(facts, limits) {
    const { place } = facts.purchase
    if (!place) return unknown(unknownPlaceText(facts.purchase))
    const [distance, reachable] = [distanceMeters(facts), reachableMeters(facts, limits)]
    if (distance === null || reachable === null) return unknown('The position of the vehicle is unknown.')
    const measured = Math.max(0, distance - place.accuracyMeters)
    const limit = limits.maxDistanceMeters + reachable
    const text = `The vehicle was at least ${Math.round(measured)} m from the merchant; ${Math.round(limit)} m were possible.`
    const isStale = (positionAgeSeconds(facts) ?? 0) > limits.maxAgeSeconds
    if (measured <= limit) return upTo(measured, limit, text)
    if (isStale) return { ...unknown(text, limit), measured }
    return isNearAddress(facts, limit)
      ? { ...unknown(`${text} The merchant may have moved within the area of its address.`, limit), measured }
      : upTo(measured, limit, text)
  },
}

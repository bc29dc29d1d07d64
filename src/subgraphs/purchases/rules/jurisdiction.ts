import { type NearMerchantLimits, reachableMeters } from './near-merchant.ts'
import { positionAgeSeconds } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

/**
 * The vehicle can have been in the state or province of the merchant. It applies if the state is known, even if the rest of
 * the address is not.
 */
export const jurisdiction: Rule<NearMerchantLimits> = {
  unit: 'meters',
  evaluate(facts, limits) {
    if (!facts.jurisdiction) return null
    const { code, kilometersAway } = facts.jurisdiction
    const reachable = reachableMeters(facts, limits)
    if (kilometersAway === null || reachable === null)
      return unknown('The position of the vehicle is unknown.')
    const measured = kilometersAway * 1000
    const limit = limits.maxDistanceMeters + reachable
    const distance = `${Math.round(measured)} m from it; ${Math.round(limit)} m were possible`
    const text = `The purchase was in ${code}; the vehicle was ${measured === 0 ? 'there too' : distance}.`
    const isStale = (positionAgeSeconds(facts) ?? 0) > limits.maxAgeSeconds
    return measured > limit && isStale ? { ...unknown(text, limit), measured } : upTo(measured, limit, text)
  },
}

import type { OtherPurchase } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface FrequencyLimits {
  readonly maxPurchases: number
  readonly windowSeconds: number
}

/** Returns the number of purchases. Several captures of one authorization are one purchase. */
function countFills(purchases: readonly Pick<OtherPurchase, 'authorizationCheckId'>[]): number {
  const ids = purchases.flatMap(({ authorizationCheckId }) => authorizationCheckId ?? [])
  return purchases.length - ids.length + new Set(ids).size
}

/** The card or the vehicle has not been used too often. */
export const frequency: Rule<FrequencyLimits> = {
  unit: 'purchases',
  evaluate({ purchase, others }, { maxPurchases, windowSeconds }) {
    if (!others) return unknown('The other purchases were not read in time.', maxPurchases)
    const from = purchase.purchasedAt - windowSeconds * 1000
    const recent = others.filter(
      ({ purchasedAt }) => purchasedAt > from && purchasedAt <= purchase.purchasedAt,
    )
    const count = countFills([purchase, ...recent])
    return upTo(
      count,
      maxPurchases,
      `The card or vehicle has ${count} of ${maxPurchases} purchases in ${Math.round(windowSeconds / 360) / 10} h, with this one.`,
    )
  },
}

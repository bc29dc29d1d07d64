import { type Rule, unknown, upTo } from './rule.ts'

export interface FrequencyLimits {
  readonly maxPurchases: number
  readonly windowSeconds: number
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
    const count = recent.length + 1
    return upTo(
      count,
      maxPurchases,
      `The card or vehicle has ${count} of ${maxPurchases} purchases in ${Math.round(windowSeconds / 360) / 10} h, with this one.`,
    )
  },
}

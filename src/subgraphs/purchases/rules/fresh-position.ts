import { positionAgeSeconds } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface FreshPositionLimits {
  readonly maxAgeSeconds: number
}

/** The position was measured close to the time of the purchase. An older position shows nothing, so it never fails. */
export const freshPosition: Rule<FreshPositionLimits> = {
  unit: 'seconds',
  evaluate(facts, { maxAgeSeconds }) {
    const age = positionAgeSeconds(facts)
    if (age === null) return unknown('The position of the vehicle is unknown.', maxAgeSeconds)
    const text = `The position was measured ${Math.round(age)} s from the time of the purchase.`
    if (age > maxAgeSeconds) return { ...unknown(text, maxAgeSeconds), measured: age }
    return upTo(age, maxAgeSeconds, text)
  },
}

import { fillsTank, roundedLiters } from './liters.ts'
import type { FuelLevelFacts } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'
import { FILL_MS } from './level-rose.ts'
import { smoothedLevels } from './smoothed-levels.ts'

export interface LevelKeptLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  /** Fuel that the engine may use while the vehicle stands. */
  readonly maxLitersPerHour: number
}

/**
 * In the day after a capture, the fuel level does not drop while the vehicle stands: nobody takes fuel out of the tank. It
 * applies when the later levels have been read, if the product goes into the tank.
 */
export const levelKept: Rule<LevelKeptLimits> = {
  unit: 'liters',
  evaluate({ purchase, vehicle, refill }, { tolerancePercent, maxLitersPerHour }) {
    if (!refill || purchase.liters === null || !fillsTank(purchase)) return null
    const capacity = vehicle?.capacityLiters
    if (!capacity) return unknown('The fuel capacity of the vehicle is unknown.')
    const levels = smoothedLevels(
      refill.levels.filter(({ measuredAt }) => measuredAt >= purchase.purchasedAt + FILL_MS),
    )
    const standing = refill.stops
      .map(({ from, to }) => levels.filter(({ measuredAt }) => measuredAt >= from && measuredAt <= to))
      .filter(({ length }) => length > 1)
    if (standing.length === 0) return unknown('No fuel levels were measured while the vehicle stood.')
    const lost = Math.max(...standing.map((stop) => largestLoss(stop, capacity, maxLitersPerHour)))
    return upTo(
      lost,
      (tolerancePercent / 100) * capacity,
      `While the vehicle stood, its tank lost ${roundedLiters(lost)} l more than its engine uses.`,
    )
  },
}

/** Returns the liters that are missing from one level to a later one, less those that the engine may have used. */
function largestLoss(levels: readonly FuelLevelFacts[], capacity: number, maxLitersPerHour: number): number {
  let [highest, largest] = [-Infinity, 0]
  for (const { percent, measuredAt } of levels) {
    const liters = (percent / 100) * capacity + (measuredAt / 3_600_000) * maxLitersPerHour
    highest = Math.max(highest, liters)
    largest = Math.max(largest, highest - liters)
  }
  return largest
}

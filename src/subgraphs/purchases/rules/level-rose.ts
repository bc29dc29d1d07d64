import { fillsTank, roundedLiters } from './liters.ts'
import type { FuelLevelFacts, PurchaseFacts } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'
import { smoothedLevels } from './smoothed-levels.ts'

export interface LevelRoseLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  /** Fuel that the vehicle may have used between two levels that are far apart. */
  readonly maxLitersPerHour: number
}

/** Fuel flows within this time before or after the purchase. */
export const FILL_MS = 30 * 60_000
/** Levels of this time before and after the fill show by how much the level has risen. */
export const LEVEL_WINDOW_MS = FILL_MS + 60 * 60_000

/**
 * The fuel level has risen by the liters that were captured, with those of other captures for the same fill. What is missing went elsewhere. It applies when the later
 * levels have been read, if the liters are known and the product goes into the tank.
 */
export const levelRose: Rule<LevelRoseLimits> = {
  unit: 'liters',
  evaluate(facts, { tolerancePercent, maxLitersPerHour }) {
    const { purchase, vehicle, refill } = facts
    const liters = litersOfFill(facts)
    if (!refill || liters === null || !fillsTank(purchase)) return null
    if (!vehicle?.capacityLiters) return unknown('The fuel capacity of the vehicle is unknown.')
    if (isStuck(refill.levels)) return unknown('The fuel level does not change: its sensor may be broken.')
    const { purchasedAt } = purchase
    const levels = smoothedLevels(
      refill.levels.filter(({ measuredAt }) => Math.abs(measuredAt - purchasedAt) <= LEVEL_WINDOW_MS),
    )
    const isBefore = levels.some(({ measuredAt }) => measuredAt <= purchasedAt - FILL_MS)
    const isAfter = levels.some(({ measuredAt }) => measuredAt >= purchasedAt + FILL_MS)
    if (!isBefore || !isAfter)
      return unknown('No fuel levels were measured shortly before and after the purchase.')
    const { percent, ms } = largestRise(levels)
    const risen = (percent / 100) * vehicle.capacityLiters
    const used = (Math.max(0, ms - FILL_MS) / 3_600_000) * maxLitersPerHour
    const missing = Math.max(0, liters - risen)
    return upTo(
      missing,
      (tolerancePercent / 100) * vehicle.capacityLiters + used,
      `${roundedLiters(liters)} l were bought; the fuel level rose by ${roundedLiters(risen)} l.`,
    )
  },
}

/** Returns the liters of the purchase and of others for the same fill. */
function litersOfFill({ purchase, others }: PurchaseFacts): number | null {
  const { vehicleId, purchasedAt, liters } = purchase
  const ofFill = (others ?? []).filter(
    (other) =>
      other.vehicleId === vehicleId &&
      !other.isDeclined &&
      fillsTank(other) &&
      Math.abs(other.purchasedAt - purchasedAt) <= FILL_MS,
  )
  return liters && ofFill.reduce((sum, other) => sum + (other.liters ?? 0), liters)
}

/** Levels that differ by less are the same reading: providers round them. */
export const SAME_LEVEL_PERCENT = 0.5

/** Whether all levels are the same, although fuel was bought. */
function isStuck(levels: readonly FuelLevelFacts[]): boolean {
  const percents = levels.map(({ percent }) => percent)
  return levels.length > 0 && Math.max(...percents) - Math.min(...percents) < SAME_LEVEL_PERCENT
}

/** Returns the largest rise from one level to a later one, with the time between them. */
function largestRise(levels: readonly FuelLevelFacts[]): { readonly percent: number; readonly ms: number } {
  let lowest = levels[0]!
  let largest = { percent: 0, ms: 0 }
  for (const level of levels) {
    if (level.percent < lowest.percent) lowest = level
    const percent = level.percent - lowest.percent
    if (percent > largest.percent) largest = { percent, ms: level.measuredAt - lowest.measuredAt }
  }
  return largest
}

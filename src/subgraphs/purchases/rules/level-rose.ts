import { FILL_MS, LEVEL_WINDOW_MS, SAME_LEVEL_PERCENT, smoothedLevels } from './fuel-levels.ts'
import { fillsTank, roundedLiters } from './liters.ts'
import type { FuelLevelFacts, PurchaseFacts } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface LevelRoseLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  /** Fuel that the vehicle may have used between two levels that are far apart. */
  readonly maxLitersPerHour: number
}

const HOUR_MS = 60 * 60_000

/**
 * The fuel level has risen by the liters that were captured, together with those of other captures at that time. What is
 * missing went elsewhere. It applies when the later levels have been read, if the liters are known and the product goes
 * into the tank.
 */
export const levelRose: Rule<LevelRoseLimits> = {
  unit: 'liters',
  evaluate(facts, { tolerancePercent, maxLitersPerHour }) {
    const { purchase, vehicle, refill } = facts
    const liters = litersOfFill(facts)
    if (!refill || liters === null || !fillsTank(purchase)) return null
    if (!vehicle?.capacityLiters) return unknown('The fuel capacity of the vehicle is unknown.')
    const levels = levelsAround(refill.levels, purchase.purchasedAt)
    if (!levels) return unknown('No fuel levels were measured shortly before and after the purchase.')
    if (isConstant(levels)) return unknown('The fuel level does not change: its sensor may be broken.')
    const { percent, ms } = largestRise(smoothedLevels(levels))
    const risen = (percent / 100) * vehicle.capacityLiters
    const used = (Math.max(0, ms - FILL_MS) / HOUR_MS) * maxLitersPerHour
    const missing = Math.max(0, liters - risen)
    return upTo(
      missing,
      (tolerancePercent / 100) * vehicle.capacityLiters + used,
      `${roundedLiters(liters)} l were bought; the fuel level rose by ${roundedLiters(risen)} l.`,
    )
  },
}

/** Returns the liters of the purchase, and of others so close that the levels do not tell them apart. */
function litersOfFill({ purchase, others }: PurchaseFacts): number | null {
  const { vehicleId, purchasedAt, liters } = purchase
  const ofFill = (others ?? []).filter(
    (other) =>
      other.vehicleId === vehicleId &&
      !other.isDeclined &&
      fillsTank(other) &&
      Math.abs(other.purchasedAt - purchasedAt) <= HOUR_MS,
  )
  return liters && ofFill.reduce((sum, other) => sum + (other.liters ?? 0), liters)
}

/**
 * Returns the levels around a purchase; null if one side has none. While the engine is off, providers repeat the level
 * from before the fill. The levels then reach until some time after the first one that differs.
 */
function levelsAround(levels: readonly FuelLevelFacts[], purchasedAt: number): FuelLevelFacts[] | null {
  const around = levels.filter(({ measuredAt }) => Math.abs(measuredAt - purchasedAt) <= LEVEL_WINDOW_MS)
  const [first] = around
  const isBefore = first !== undefined && first.measuredAt <= purchasedAt - FILL_MS
  const isAfter = around.some(({ measuredAt }) => measuredAt >= purchasedAt + FILL_MS)
  if (!isBefore || !isAfter) return null
  if (!isConstant(around)) return around
  const changed = levels.find(
    ({ percent, measuredAt }) =>
      measuredAt > purchasedAt && Math.abs(percent - first.percent) >= SAME_LEVEL_PERCENT,
  )
  const end = (changed?.measuredAt ?? 0) + FILL_MS
  return levels.filter(({ measuredAt }) => measuredAt >= first.measuredAt && measuredAt <= end)
}

function isConstant(levels: readonly FuelLevelFacts[]): boolean {
  const percents = levels.map(({ percent }) => percent)
  return Math.max(...percents) - Math.min(...percents) < SAME_LEVEL_PERCENT
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

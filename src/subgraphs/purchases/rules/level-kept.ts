import { DAY_MS } from '../../../domain/models/lookback.ts'
import { FILL_MS } from './fuel-levels.ts'
import { fillsTank, roundedLiters } from './liters.ts'
import type { FuelLevelFacts, PurchaseFacts } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface LevelKeptLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  /** Fuel that the engine may use while the vehicle stands. */
  readonly maxLitersPerHour: number
}

/** A lower level counts when as many levels confirm it: sensors report single wrong levels. */
const CONFIRMING_LEVELS = 3

/**
 * In the day after a capture, until the next one, the fuel level does not drop while the vehicle stands: nobody takes fuel
 * out of the tank. It applies when the later levels have been read, if the product goes into the tank.
 */
export const levelKept: Rule<LevelKeptLimits> = {
  unit: 'liters',
  evaluate(facts, { tolerancePercent, maxLitersPerHour }) {
    const { purchase, vehicle, refill } = facts
    if (!refill || purchase.liters === null || !fillsTank(purchase)) return null
    if (vehicle?.levelProblem) return unknown(vehicle.levelProblem)
    const capacity = vehicle?.capacityLiters
    if (!capacity) return unknown('The fuel capacity of the vehicle is unknown.')
    const levels = levelsUntilNext(facts, refill.levels)
    const standing = refill.stops
      .map(({ from, to }) => levels.filter(({ measuredAt }) => measuredAt >= from && measuredAt <= to))
      .filter(({ length }) => length > CONFIRMING_LEVELS)
    if (standing.length === 0) return unknown('Too few fuel levels were measured while the vehicle stood.')
    const lost = Math.max(...standing.map((stop) => largestLoss(stop, capacity, maxLitersPerHour)))
    return upTo(
      lost,
      (tolerancePercent / 100) * capacity,
      `While the vehicle stood, its tank lost ${roundedLiters(lost)} l more than its engine uses.`,
    )
  },
}

/** Returns the levels of the day after the fill, until the next purchase for the vehicle. */
function levelsUntilNext(
  { purchase: { vehicleId, purchasedAt }, others }: PurchaseFacts,
  levels: readonly FuelLevelFacts[],
): FuelLevelFacts[] {
  const from = purchasedAt + FILL_MS
  const later = (others ?? []).filter((other) => other.vehicleId === vehicleId && other.purchasedAt > from)
  const to = Math.min(purchasedAt + DAY_MS, ...later.map((other) => other.purchasedAt - FILL_MS))
  return levels.filter(({ measuredAt }) => measuredAt >= from && measuredAt <= to)
}

/** Returns the liters that are missing for good after some level, less those that the engine may have used. */
function largestLoss(levels: readonly FuelLevelFacts[], capacity: number, maxLitersPerHour: number): number {
  const liters = levels.map(
    ({ percent, measuredAt }) => (percent / 100) * capacity + (measuredAt / 3_600_000) * maxLitersPerHour,
  )
  const losses = liters
    .slice(0, -CONFIRMING_LEVELS)
    .map((before, at) => before - Math.max(...liters.slice(at + 1)))
  return Math.max(0, ...losses)
}

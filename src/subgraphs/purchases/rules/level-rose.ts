import type { Instant } from '../../../domain/time.ts'
import {
  FILL_MS,
  LEVEL_WINDOW_MS,
  SAME_LEVEL_PERCENT,
  smoothedLevels,
  STANDING_LITERS_PER_HOUR,
} from './fuel-levels.ts'
import { fillsTank, roundedLiters } from './liters.ts'
import type { FuelLevelFacts, PurchaseFacts, Stop } from './purchase-facts.ts'
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
    if (!refill || purchase.liters === null || !fillsTank(purchase)) return null
    if (!vehicle?.capacityLiters) return unknown('The fuel capacity of the vehicle is unknown.')
    const levels = levelsAround(refill.levels, purchase.purchasedAt)
    if (!levels) return unknown('No fuel levels were measured shortly before and after the purchase.')
    if (isConstant(levels)) return unknown('The fuel level does not change: its sensor may be broken.')
    const rise = largestRise(smoothedLevels(levels))
    const liters = litersOfFill(facts, rise.to)
    const risen = (rise.percent / 100) * vehicle.capacityLiters
    const missing = Math.max(0, liters - risen)
    return upTo(
      missing,
      (tolerancePercent / 100) * vehicle.capacityLiters + litersUsed(rise, refill.stops, maxLitersPerHour),
      `${roundedLiters(liters)} l were bought; the fuel level rose by ${roundedLiters(risen)} l.`,
    )
  },
}

/** Returns the liters of the purchase, and of others that the levels do not tell apart. */
function litersOfFill({ purchase, others }: PurchaseFacts, risenAt: Instant): number {
  const { vehicleId, purchasedAt, liters } = purchase
  const until = Math.max(purchasedAt + HOUR_MS, risenAt)
  const ofFill = (others ?? []).filter(
    (other) =>
      other.vehicleId === vehicleId &&
      !other.isDeclined &&
      fillsTank(other) &&
      other.purchasedAt >= purchasedAt - HOUR_MS &&
      other.purchasedAt <= until,
  )
  return ofFill.reduce((sum, other) => sum + (other.liters ?? 0), liters ?? 0)
}

/**
 * Returns the levels around a purchase; null if one side has none. While the engine is off, providers measure nothing, or
 * repeat the level from before the fill. The levels then reach until some time after the first one that counts.
 */
function levelsAround(levels: readonly FuelLevelFacts[], purchasedAt: Instant): FuelLevelFacts[] | null {
  const known = levels.filter(({ measuredAt }) => measuredAt >= purchasedAt - LEVEL_WINDOW_MS)
  const [first] = known
  const after = known.find(({ measuredAt }) => measuredAt >= purchasedAt + FILL_MS)
  if (!first || !after || first.measuredAt > purchasedAt - FILL_MS) return null
  const until = (time: Instant) => known.filter(({ measuredAt }) => measuredAt <= time)
  const around = until(Math.max(purchasedAt + LEVEL_WINDOW_MS, after.measuredAt + FILL_MS))
  if (!isConstant(around)) return around
  const changed = known.find(
    ({ percent, measuredAt }) =>
      measuredAt > purchasedAt && Math.abs(percent - first.percent) >= SAME_LEVEL_PERCENT,
  )
  return changed ? until(changed.measuredAt + FILL_MS) : around
}

function isConstant(levels: readonly FuelLevelFacts[]): boolean {
  const percents = levels.map(({ percent }) => percent)
  return Math.max(...percents) - Math.min(...percents) < SAME_LEVEL_PERCENT
}

interface Rise {
  readonly percent: number
  readonly from: Instant
  readonly to: Instant
}

/** Returns the largest rise from one level to a later one. */
function largestRise(levels: readonly FuelLevelFacts[]): Rise {
  let lowest = levels[0]!
  let largest = { percent: 0, from: 0, to: 0 }
  for (const level of levels) {
    if (level.percent <= lowest.percent) lowest = level
    const percent = level.percent - lowest.percent
    if (percent > largest.percent) largest = { percent, from: lowest.measuredAt, to: level.measuredAt }
  }
  return largest
}

/** Returns the liters that the engine may have used between two levels, other than during the fill. */
function litersUsed({ from, to }: Rise, stops: readonly Stop[], maxLitersPerHour: number): number {
  const overlaps = stops.map((stop) => Math.max(0, Math.min(to, stop.to) - Math.max(from, stop.from)))
  const standing = overlaps.reduce((sum, ms) => sum + ms, 0)
  const driving = Math.max(0, to - from - standing - FILL_MS)
  const perHour = Math.min(STANDING_LITERS_PER_HOUR, maxLitersPerHour)
  return (standing / HOUR_MS) * perHour + (driving / HOUR_MS) * maxLitersPerHour
}

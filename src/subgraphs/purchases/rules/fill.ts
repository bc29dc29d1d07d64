import type { Instant } from '../../../domain/time.ts'
import { FILL_MS, LEVEL_WINDOW_MS, SAME_LEVEL_PERCENT, smoothedLevels } from './fuel-levels.ts'
import { fillsTank, withoutRepeatedCaptures } from './liters.ts'
import type { FuelLevelFacts, OtherPurchase, PurchaseFacts } from './purchase-facts.ts'

/** A fill of the tank as the purchases and the fuel level show it. */
export interface Fill {
  /** Liters of the purchase, and of others that the levels do not tell apart. */
  readonly liters: number
  /** Null if the level did not change at all. */
  readonly rise: Rise | null
  /** Levels of these times are from before and after the fill. */
  readonly from: Instant
  readonly to: Instant
  /** Whether the levels may lack the fuel of a purchase that `liters` contains, because they end with it. */
  readonly isAmbiguous: boolean
  /** Whether the rise is that of the liters: no purchase around it has unknown liters, or is left out. */
  readonly isComplete: boolean
}

const HOUR_MS = 60 * 60_000

/** Returns what the levels show about a purchase; null without levels before and after it. */
export function fillOf(facts: PurchaseFacts): Fill | null {
  const { purchase, refill } = facts
  const levels = refill && levelsAround(smoothedLevels(refill.levels), purchase.purchasedAt)
  if (!levels) return null
  const rise = isConstant(levels) ? null : largestRise(levels, purchase.purchasedAt)
  const [first, last] = [levels[0]!.measuredAt, levels.at(-1)!.measuredAt]
  const around = othersInTank(facts).filter(
    ({ purchasedAt }) => purchasedAt >= first - FILL_MS && purchasedAt <= last + FILL_MS,
  )
  const { from, to } = timeOfFill(levels, purchase.purchasedAt)
  const hourAfter = purchase.purchasedAt + HOUR_MS
  const since = Math.min(purchase.purchasedAt - HOUR_MS, rise?.from ?? purchase.purchasedAt)
  const until = Math.max(hourAfter, to, rise?.to ?? purchase.purchasedAt)
  const ofFill = around.filter(({ purchasedAt }) => purchasedAt >= since && purchasedAt <= until)
  const isAmbiguous = ofFill.some(
    ({ purchasedAt }) => purchasedAt > hourAfter && purchasedAt > until - FILL_MS,
  )
  return {
    liters: ofFill.reduce((sum, other) => sum + (other.liters ?? 0), purchase.liters ?? 0),
    rise,
    from,
    to,
    isAmbiguous,
    isComplete:
      !isAmbiguous && ofFill.length === around.length && ofFill.every(({ liters }) => liters !== null),
  }
}

/** Returns the other purchases that filled the same tank. */
const othersInTank = ({ purchase, others }: PurchaseFacts): OtherPurchase[] =>
  withoutRepeatedCaptures(purchase, others ?? []).filter(
    (other) => other.vehicleId === purchase.vehicleId && !other.isDeclined && fillsTank(other),
  )

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
  const end = Math.max(purchasedAt + LEVEL_WINDOW_MS, after.measuredAt + FILL_MS)
  const changed = firstChange(known, purchasedAt, purchasedAt)
  return until(changed && changed.measuredAt > end ? changed.measuredAt + FILL_MS : end)
}

/** Returns the first level after a time that differs from the last one before the purchase; undefined without one. */
function firstChange(
  levels: readonly FuelLevelFacts[],
  purchasedAt: Instant,
  after: Instant,
): FuelLevelFacts | undefined {
  const last = levels.findLast(({ measuredAt }) => measuredAt <= purchasedAt)!
  return levels.find(
    ({ percent, measuredAt }) => measuredAt > after && Math.abs(percent - last.percent) >= SAME_LEVEL_PERCENT,
  )
}

function isConstant(levels: readonly FuelLevelFacts[]): boolean {
  const percents = levels.map(({ percent }) => percent)
  return Math.max(...percents) - Math.min(...percents) < SAME_LEVEL_PERCENT
}

/** Returns the times of the last level before a fill and of the first one after it that is not a repeated one. */
function timeOfFill(levels: readonly FuelLevelFacts[], purchasedAt: Instant): Pick<Fill, 'from' | 'to'> {
  const before = levels.findLast(({ measuredAt }) => measuredAt <= purchasedAt - FILL_MS)!
  const after = firstChange(levels, purchasedAt, purchasedAt + FILL_MS - 1) ?? levels.at(-1)!
  return { from: before.measuredAt, to: after.measuredAt }
}

/** Rise of the fuel level between two times. */
interface Rise {
  readonly percent: number
  readonly from: Instant
  readonly to: Instant
}

/** Returns the largest rise from one level to a later one; one of 0 at the purchase if the level only dropped. */
function largestRise(levels: readonly FuelLevelFacts[], purchasedAt: Instant): Rise {
  let lowest = levels[0]!
  let largest = { percent: 0, from: purchasedAt, to: purchasedAt }
  for (const level of levels) {
    if (level.percent <= lowest.percent) lowest = level
    const percent = level.percent - lowest.percent
    if (percent > largest.percent) largest = { percent, from: lowest.measuredAt, to: level.measuredAt }
  }
  return largest
}

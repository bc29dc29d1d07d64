import type { Instant } from '../../../domain/time.ts'
import { type Fill, fillOf } from './fill.ts'
import { FILL_MS, litersPerHourOnRoad } from './fuel-levels.ts'
import { fillsTank, roundedLiters } from './liters.ts'
import type { EngineRuntime, RefillFacts } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface LevelRoseLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  /** Fuel that the engine may have used on the road between two levels that are far apart. */
  readonly maxLitersPerHour: number
  /** Fuel that its engine may have used while it stood. */
  readonly maxStandingLitersPerHour: number
}

const HOUR_MS = 60 * 60_000

/**
 * The fuel level has risen by the liters that were captured, together with those of other captures at that time. What is
 * missing went into cans or into another vehicle. It applies when the later levels have been read, if the liters are known
 * and the product goes into the tank.
 */
export const levelRose: Rule<LevelRoseLimits> = {
  unit: 'liters',
  evaluate(facts, limits) {
    const { purchase, vehicle, refill } = facts
    if (!refill || purchase.liters === null || !fillsTank(purchase)) return null
    if (vehicle?.levelProblem) return unknown(vehicle.levelProblem)
    if (!vehicle?.capacityLiters) return unknown('The fuel capacity of the vehicle is unknown.')
    const fill = fillOf(facts)
    if (!fill) return unknown('No fuel levels were measured shortly before and after the purchase.')
    const { liters, rise } = fill
    if (!rise) return unknown('The fuel level does not change: its sensor may be broken.')
    if (fill.isAmbiguous) return unknown('Another purchase is too close to the next fuel level.')
    const risen = (rise.percent / 100) * vehicle.capacityLiters
    const missing = Math.max(0, liters - risen)
    const used = litersUsed(fill, refill, vehicle.capacityLiters, limits)
    const limit = (limits.tolerancePercent / 100) * vehicle.capacityLiters + used
    if (limit >= liters) return unknown('The fuel level is too inexact to show these liters.', limit)
    return upTo(
      missing,
      limit,
      [
        `${roundedLiters(liters)} l were bought; the fuel level rose by ${roundedLiters(risen)} l.`,
        ...(vehicle.capacityProblem ? [vehicle.capacityProblem] : []),
      ].join(' '),
    )
  },
}

/**
 * Returns the liters that the engine may have used between the levels before and after a fill, other than during it. Without
 * readings of its runtime, it may have run all the time.
 */
function litersUsed(
  { from, to }: Fill,
  { stops, runtimes }: RefillFacts,
  capacityLiters: number,
  { maxLitersPerHour, maxStandingLitersPerHour }: LevelRoseLimits,
): number {
  const onRoad = litersPerHourOnRoad(maxLitersPerHour, capacityLiters)
  const overlaps = stops.map((stop) => Math.max(0, Math.min(to, stop.to) - Math.max(from, stop.from)))
  const standing = overlaps.reduce((sum, ms) => sum + ms, 0)
  const running = runtimeBetween(runtimes, from, to) ?? to - from
  const driving = Math.min(running, Math.max(0, to - from - standing - FILL_MS))
  const idling = Math.min(running - driving, standing)
  return (idling / HOUR_MS) * maxStandingLitersPerHour + (driving / HOUR_MS) * onRoad
}

/** Returns the longest time for which the engine may have run between two times; null if the counter does not show it. */
function runtimeBetween(runtimes: readonly EngineRuntime[], from: Instant, to: Instant): number | null {
  const counted = (one?: EngineRuntime, other?: EngineRuntime) =>
    one && other ? other.milliseconds - one.milliseconds : 0
  const isCounting = counted(runtimes[0], runtimes.at(-1)) > 0
  const before = runtimes.findLast(({ measuredAt }) => measuredAt <= from)
  const after = runtimes.find(({ measuredAt }) => measuredAt >= to)
  const running = counted(before, after)
  return isCounting && before && after && running >= 0 ? running : null
}

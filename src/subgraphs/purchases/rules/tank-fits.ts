import { litersPerHourOnRoad } from './fuel-levels.ts'
import { fillsTank, roundedLiters, withoutRepeatedCaptures } from './liters.ts'
import type { FuelLevelFacts, OtherPurchase, Purchase, VehicleFacts } from './purchase-facts.ts'
import { type Rule, type RuleResult, unknown, upTo } from './rule.ts'

export interface TankFitsLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  readonly maxLevelAgeSeconds: number
  /** Fuel that the vehicle may have used since the level was measured. */
  readonly maxLitersPerHour: number
}

/**
 * The tank has room for the liters. It applies if the liters are known and the product goes into the tank. An unknown
 * product counts as fuel.
 */
export const tankFits: Rule<TankFitsLimits> = {
  unit: 'liters',
  evaluate(facts, { tolerancePercent, maxLevelAgeSeconds, maxLitersPerHour }) {
    const { purchase, vehicle, fuelLevel, others } = facts
    if (purchase.liters === null || !fillsTank(purchase)) return null
    if (!vehicle?.capacityLiters) return unknown('The fuel capacity of the vehicle is unknown.')
    const problem = vehicle.levelProblem ?? vehicle.capacityProblem
    if (problem) return fitsEmptyTank(purchase.liters, vehicle, problem)
    if (!fuelLevel) return unknown('The fuel level of the vehicle is unknown.')
    const age = Math.max(0, purchase.purchasedAt - fuelLevel.measuredAt) / 1000
    if (age > maxLevelAgeSeconds) return unknown(`The fuel level was measured ${Math.round(age)} s earlier.`)
    if (!others) return unknown('The other purchases were not read in time.')
    const fills = fillsSince(fuelLevel, purchase, others)
    const liters = purchase.liters + fills.reduce((sum, fill) => sum + (fill.liters ?? 0), 0)
    const level = Math.max(0, fuelLevel.percent - tolerancePercent) / 100
    const used = (age / 3600) * litersPerHourOnRoad(maxLitersPerHour, vehicle.capacityLiters)
    const room = Math.min(vehicle.capacityLiters, vehicle.capacityLiters * (1 - level) + used)
    const isIncomplete = fills.some((fill) => fill.liters === null)
    return liters <= room && isIncomplete
      ? unknown('The liters of another purchase since the fuel level was measured are unknown.', room)
      : upTo(
          liters,
          room,
          `${roundedLiters(liters)} l were bought; the tank had room for ${roundedLiters(room)} l.`,
        )
  },
}

/** Without a reliable level, only liters above the whole tank fail. */
function fitsEmptyTank(
  liters: number,
  { capacityLiters, learntLiters }: VehicleFacts,
  problem: string,
): RuleResult {
  const most = Math.max(capacityLiters ?? 0, learntLiters ?? 0)
  if (liters <= most) return unknown(problem, most)
  return upTo(
    liters,
    most,
    `${roundedLiters(liters)} l were bought; an empty tank has room for ${roundedLiters(most)} l.`,
  )
}

/** Returns the other purchases that have filled the tank since the level was measured. */
const fillsSince = (
  { measuredAt }: FuelLevelFacts,
  purchase: Purchase,
  others: readonly OtherPurchase[],
): OtherPurchase[] =>
  withoutRepeatedCaptures(purchase, others).filter(
    (other) =>
      other.vehicleId === purchase.vehicleId &&
      !other.isDeclined &&
      fillsTank(other) &&
      other.purchasedAt >= measuredAt &&
      other.purchasedAt <= purchase.purchasedAt,
  )

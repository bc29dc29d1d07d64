import { FuelProduct } from '../fuel-product.ts'
import type { FuelLevelFacts, PurchaseFacts } from './purchase-facts.ts'
import { type Rule, unknown, upTo } from './rule.ts'

export interface TankFitsLimits {
  /** By how much the fuel sensor may be wrong, in percentage points of the capacity. */
  readonly tolerancePercent: number
  readonly maxLevelAgeSeconds: number
}

/** Products that do not go into the tank whose level is measured. */
const OTHER_TANKS: readonly (FuelProduct | null)[] = [
  FuelProduct.DEF,
  FuelProduct.ELECTRICITY,
  FuelProduct.OTHER,
]

/**
 * The tank has room for the liters. It applies if the liters are known and the product goes into the tank. An unknown
 * product counts as fuel.
 */
export const tankFits: Rule<TankFitsLimits> = {
  unit: 'liters',
  evaluate(facts, { tolerancePercent, maxLevelAgeSeconds }) {
    const { purchase, vehicle, fuelLevel, others } = facts
    if (purchase.liters === null || OTHER_TANKS.includes(purchase.product)) return null
    if (!vehicle?.capacityLiters) return unknown('The fuel capacity of the vehicle is unknown.')
    if (!fuelLevel) return unknown('The fuel level of the vehicle is unknown.')
    const age = (purchase.purchasedAt - fuelLevel.measuredAt) / 1000
    if (age > maxLevelAgeSeconds) return unknown(`The fuel level was measured ${Math.round(age)} s earlier.`)
    if (!others) return unknown('The other purchases were not read in time.')
    const level = Math.max(0, fuelLevel.percent - tolerancePercent) / 100
    const room = vehicle.capacityLiters * (1 - level)
    const liters = purchase.liters + litersSince(fuelLevel, facts)
    return upTo(liters, room, `${rounded(liters)} l were bought; the tank had room for ${rounded(room)} l.`)
  },
}

/** Returns the liters that other purchases have added since the level was measured. */
const litersSince = ({ measuredAt }: FuelLevelFacts, { purchase, others }: PurchaseFacts): number =>
  (others ?? [])
    .filter(
      (other) =>
        other.vehicleId === purchase.vehicleId &&
        !other.isDeclined &&
        !OTHER_TANKS.includes(other.product) &&
        other.purchasedAt >= measuredAt &&
        other.purchasedAt <= purchase.purchasedAt,
    )
    .reduce((sum, { liters }) => sum + (liters ?? 0), 0)

const rounded = (liters: number): number => Math.round(liters * 10) / 10

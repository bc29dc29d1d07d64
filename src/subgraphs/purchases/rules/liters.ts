import { FuelProduct } from '../fuel-product.ts'
import type { OtherPurchase, Purchase } from './purchase-facts.ts'

/** Products that do not go into the tank whose level is measured. */
const OTHER_TANKS: readonly (FuelProduct | null)[] = [
  FuelProduct.DEF,
  FuelProduct.DYED_DIESEL,
  FuelProduct.ELECTRICITY,
  FuelProduct.OTHER,
]

/** Whether the product goes into the tank whose level is measured. An unknown product counts as fuel. */
export const fillsTank = ({ product }: Pick<Purchase, 'product'>): boolean => !OTHER_TANKS.includes(product)

export const roundedLiters = (liters: number): number => Math.round(liters * 10) / 10

/** Returns other purchases without the captures whose liters came with another capture of their authorization. */
export function withoutRepeatedCaptures(
  purchase: Purchase,
  others: readonly OtherPurchase[],
): OtherPurchase[] {
  const captured = new Set(
    [purchase, ...others].flatMap(({ liters, authorizationCheckId }) =>
      liters === null ? [] : authorizationCheckId,
    ),
  )
  return others.filter(
    ({ liters, authorizationCheckId }) =>
      liters !== null || authorizationCheckId === null || !captured.has(authorizationCheckId),
  )
}

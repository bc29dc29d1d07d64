import { FuelProduct } from '../fuel-product.ts'
import type { Purchase } from './purchase-facts.ts'

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

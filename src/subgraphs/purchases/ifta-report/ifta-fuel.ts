import { registerEnumType } from 'type-graphql'
import { FuelProduct } from '../fuel-product.ts'
import { productsByFuelType } from '../rules/product-matches.ts'

/** Products whose tax the agreement divides, and that Odograph knows. Dyed diesel is untaxed. */
export const iftaFuels = [FuelProduct.DIESEL, FuelProduct.GASOLINE, FuelProduct.PROPANE] as const

export type IftaFuel = (typeof iftaFuels)[number]

/** Fuels by GraphQL enum value: `DIESEL` stands for `diesel`. */
export const IftaFuelEnum = Object.fromEntries(iftaFuels.map((fuel) => [fuel.toUpperCase(), fuel]))

registerEnumType(IftaFuelEnum, {
  name: 'IftaFuel',
  description: 'A fuel of the International Fuel Tax Agreement. Each one has a return of its own.',
  valuesConfig: {
    DIESEL: { description: 'Diesel for roads. Dyed diesel is not part of it.' },
    GASOLINE: { description: 'Gasoline of any grade.' },
    PROPANE: { description: 'Propane.' },
  },
})

/** Returns the fuel types of the vehicles that use a fuel. */
export const fuelTypesOf = (fuel: IftaFuel): string[] =>
  Object.entries(productsByFuelType).flatMap(([type, products]) => (products.includes(fuel) ? type : []))

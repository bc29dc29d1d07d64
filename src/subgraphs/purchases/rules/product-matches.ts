import { FuelProduct } from '../fuel-product.ts'
import { type Rule, unknown, passIf } from './rule.ts'

const { DEF, DIESEL, DYED_DIESEL, ELECTRICITY, GASOLINE, OTHER, PROPANE } = FuelProduct

/** Products by the fuel type of a vehicle. Diesel vehicles also use diesel exhaust fluid. */
export const productsByFuelType: Readonly<Record<string, readonly FuelProduct[]>> = {
  gasoline: [GASOLINE],
  diesel: [DIESEL, DEF],
  propane: [PROPANE],
  electric: [ELECTRICITY],
  hybrid_gasoline: [GASOLINE, ELECTRICITY],
  hybrid_diesel: [DIESEL, DEF, ELECTRICITY],
}

/**
 * The vehicle uses the product. It applies if the product is known. Roads do not permit dyed diesel, but a refrigerated
 * trailer may use it, and no data shows for which it is bought.
 */
export const productMatches: Rule<object> = {
  unit: null,
  evaluate({ purchase: { product }, vehicle }) {
    if (product === null) return null
    if (product === OTHER) return unknown('The product is none of the known fuels.')
    if (product === DYED_DIESEL) return unknown('Dyed diesel may be for a trailer, but not for the vehicle.')
    if (!vehicle?.fuelType) return unknown('The fuel type of the vehicle is unknown.')
    const products = productsByFuelType[vehicle.fuelType]
    if (!products) return unknown('The products for the fuel type of the vehicle are unknown.')
    const words = product.replaceAll('_', ' ')
    return products.includes(product)
      ? passIf(true, `The vehicle uses ${words}.`)
      : passIf(
          false,
          `The vehicle does not use ${words}: its fuel type is ${vehicle.fuelType.replaceAll('_', ' ')}.`,
        )
  },
}

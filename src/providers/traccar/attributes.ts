import { createEnumMapping } from '../mapping/enum-mapping.ts'
import type { NormalizedFuelType } from '../../domain/models/vehicle.ts'
import { hasAllDigits } from '../mapping/numbers.ts'

type Attributes = Readonly<Record<string, unknown>>

/** Readers of attributes, which administrators and devices define. The first of the names that has a value counts. */

export function textIn(attributes: Attributes, ...names: string[]): string | null {
  for (const name of names) {
    const value = attributes[name]
    const text = typeof value === 'number' && hasAllDigits(value) ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text.trim()
  }
  return null
}

/** Returns the first number that is not negative. If all are negative, returns the first: the sync reports it. */
export const numberIn = (attributes: Attributes, ...names: string[]): number | null => {
  const numbers = numbersIn(attributes, names)
  return numbers.find((number) => number >= 0) ?? numbers[0] ?? null
}

/** Returns the first number, which may be negative, such as a temperature. */
export const signedNumberIn = (attributes: Attributes, ...names: string[]): number | null =>
  numbersIn(attributes, names)[0] ?? null

const numbersIn = (attributes: Attributes, names: readonly string[]): number[] =>
  names.flatMap((name) => {
    const value = attributes[name]
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? [number] : []
  })

export const fuelTypes = createEnumMapping<NormalizedFuelType>('traccar', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  petrol: 'gasoline',
  electric: 'electric',
  propane: 'propane',
  lpg: 'propane',
})

import { createEnumMapping } from '../mapping/enum-mapping.ts'
import type { NormalizedFuelType } from '../normalized-records.ts'
import type { Attributes } from './schemas.ts'

/** Attributes that administrators and devices define. The firstNumber name with a value is used. */

export function textIn(attributes: Attributes, ...names: string[]): string | null {
  for (const name of names) {
    const value = attributes[name]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text.trim()
  }
  return null
}

export const numberIn = (attributes: Attributes, ...names: string[]): number | null =>
  firstNumber(attributes, names, (number) => number >= 0)

/** Number that may be negative, such as a temperature. */
export const signedNumberIn = (attributes: Attributes, ...names: string[]): number | null =>
  firstNumber(attributes, names, () => true)

function firstNumber(
  attributes: Attributes,
  names: readonly string[],
  isPossible: (number: number) => boolean,
): number | null {
  for (const name of names) {
    const value = attributes[name]
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number) && isPossible(number)) return number
  }
  return null
}

export const fuelTypes = createEnumMapping<NormalizedFuelType>('traccar', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  petrol: 'gasoline',
  electric: 'electric',
  propane: 'propane',
  lpg: 'propane',
})

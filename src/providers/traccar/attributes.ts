import { createEnumMapping } from '../mapping/enum-mapping.ts'
import type { FuelType } from '../normalized-records.ts'
import type { Attributes } from './schemas.ts'

/** What administrators and devices say under names of their own; the first that says something is taken. */

export function textIn(attributes: Attributes, ...names: string[]): string | null {
  for (const name of names) {
    const value = attributes[name]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text.trim()
  }
  return null
}

export const numberIn = (attributes: Attributes, ...names: string[]): number | null =>
  first(attributes, names, (number) => number >= 0)

/** What may be below zero, such as a temperature. */
export const signedNumberIn = (attributes: Attributes, ...names: string[]): number | null =>
  first(attributes, names, () => true)

function first(
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

export const fuelTypes = createEnumMapping<FuelType>('traccar', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  petrol: 'gasoline',
  electric: 'electric',
  propane: 'propane',
  lpg: 'propane',
})

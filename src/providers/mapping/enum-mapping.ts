import { unknownEnumValues } from '../../platform/instrumentation.ts'
import { ProviderError } from '../provider-error.ts'

/**
 * Mapping of a provider's enum values to ours, for one field. An unknown value is reported on the
 * `unknownEnumValues` channel. The field decides the result: null, a default value, or an error that rejects
 * the record.
 */
export interface EnumMapping<Ours> {
  /**
   * For a nullable field: null for a missing value, for a value without an equivalent, and for an unknown
   * value.
   */
  maybe(value: ProviderValue): Ours | null
  /** For a field with a default value, which also replaces a missing value. */
  or(defaultValue: Ours, value: ProviderValue): Ours
  /** For a required field: throws a `malformed` error, which does not quote the value. */
  needed(value: ProviderValue): Ours
}

type ProviderValue = string | null | undefined

/**
 * Creates the mapping of a provider for a field such as `HOSLog.status`. In the table, null marks a known
 * value that has no equivalent of ours.
 */
export function createEnumMapping<Ours extends string | object>(
  provider: string,
  field: `${string}.${string}`,
  table: Readonly<Record<string, Ours | null>>,
): EnumMapping<Ours> {
  const maybe = (value: ProviderValue): Ours | null => {
    if (!value) return null
    if (Object.hasOwn(table, value)) return table[value] ?? null
    unknownEnumValues.emit({ provider, field, word: value })
    return null
  }
  return {
    maybe,
    or: (defaultValue, value) => maybe(value) ?? defaultValue,
    needed(value) {
      const ours = maybe(value)
      if (ours === null) throw new ProviderError('malformed', `${field}: unknown value`)
      return ours
    },
  }
}

/** Returns table entries for known values without an equivalent. The values are separated by spaces. */
export const unmappedValues = (values: string): Readonly<Record<string, null>> =>
  Object.fromEntries(values.split(/\s+/).map((value) => [value, null]))

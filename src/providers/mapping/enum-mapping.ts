import { unknownEnumValues } from '../../platform/instrumentation.ts'
import { ProviderError } from '../provider-error.ts'

/**
 * Mapping of a provider's enum values to ours, for one field. An unknown value is reported on the
 * `unknownEnumValues` channel. The method that the field uses decides the result: null, a default value, or an
 * error that rejects the record.
 */
export interface EnumMapping<Ours> {
  /** For a nullable field. Null if the value is missing, unknown, or has no equivalent. */
  orNull(value: ProviderValue): Ours | null
  /** For a field with a default value. It replaces a value that is missing, unknown, or has no equivalent. */
  orDefault(value: ProviderValue, defaultValue: Ours): Ours
  /**
   * For a required field. Throws a `malformed` error if the value is missing, unknown, or has no equivalent. The
   * message omits the value, which can be any text of an account.
   */
  orThrow(value: ProviderValue): Ours
}

type ProviderValue = string | null | undefined

/**
 * Creates the mapping of a provider for a field such as `HOSLog.status`. In the table, null marks a known
 * value that has no equivalent among ours.
 */
export function createEnumMapping<Ours extends string | object>(
  provider: string,
  field: `${string}.${string}`,
  table: Readonly<Record<string, Ours | null>>,
): EnumMapping<Ours> {
  const orNull = (value: ProviderValue): Ours | null => {
    if (!value) return null
    if (Object.hasOwn(table, value)) return table[value] ?? null
    unknownEnumValues.emit({ provider, field, value })
    return null
  }
  return {
    orNull,
    orDefault: (value, defaultValue) => orNull(value) ?? defaultValue,
    orThrow(value) {
      const ours = orNull(value)
      if (ours === null) throw new ProviderError('malformed', `${field}: no known value`)
      return ours
    },
  }
}

/** Returns table entries for known values without an equivalent. The values are separated by spaces. */
export const unmappedValues = (values: string): Readonly<Record<string, null>> =>
  Object.fromEntries(values.split(/\s+/).map((value) => [value, null]))

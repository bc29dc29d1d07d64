import { z } from 'zod'
import { isMissing, optionalMember } from './optional-member.ts'

/**
 * Numbers of a provider. Some providers send a number as a text. An integer above 2^53 is refused: JSON parsing rounds
 * it, so its last digits are wrong.
 */

/** Whether JSON parsing keeps all digits of a number. */
export const hasAllDigits = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

const DECIMAL = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i

/** Required number. */
export const decimal = z
  .union([z.number(), z.string().regex(DECIMAL)])
  .transform(Number)
  .refine(hasAllDigits, 'has too many digits')

/** Number that must be sent, but may be null. */
export const decimalOrNull = decimal.nullable()

/** Required number without a fraction. */
export const integerValue = decimal.refine(Number.isInteger, 'not an integer')

export const optionalNumber = optionalMember(decimal)

/** Optional year of four digits. Null if it is missing, an empty text or 0. */
export const optionalYear = z.preprocess(
  (value) => (isMissing(value) || value === 0 || value === '0' ? null : value),
  integerValue.refine((year) => year >= 1000 && year <= 9999, 'not a year').nullable(),
)

import { z } from 'zod'
import { hasAllDigits } from './numbers.ts'

/** Text of a provider. Some providers send a text of digits as a number, such as a VIN or a model year. */
export const readableText = z.union([
  z.string(),
  z.number().refine(hasAllDigits, 'is too large').transform(String),
])

/** Optional text without spaces at its ends. Null if it is missing or empty. */
export const optionalText = readableText.nullish().transform((value) => value?.trim() || null)

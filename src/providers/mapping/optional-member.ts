import { z } from 'zod'

/** Optional member of a provider's record. Null if it is missing or an empty text. */
export const optionalMember = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (isMissing(value) ? null : value), shape.nullable())

export const isMissing = (value: unknown): boolean =>
  value == null || (typeof value === 'string' && value.trim() === '')

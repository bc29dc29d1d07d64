import { z } from 'zod'

/**
 * Optional number of a provider, of any size. A value of another type becomes NaN. Storage replaces a number
 * that is not possible by null, and an issue reports it.
 */
export const optionalNumber = z
  .unknown()
  .optional()
  .transform((value): number | null => (value == null ? null : typeof value === 'number' ? value : NaN))

import { z } from 'zod'

/**
 * Optional number of a provider. A value of another type becomes NaN, so that it differs from a missing one: a
 * sync stores null for NaN and for an impossible number, and reports both in an issue.
 */
export const optionalNumber = z
  .unknown()
  .optional()
  .transform((value): number | null => (value == null ? null : typeof value === 'number' ? value : NaN))

import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'
import { optionalNumber } from '../../mapping/optional-number.ts'

/** Field types of Motive's records. Times have the format of RFC 3339; those of users have microseconds. */

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

/** Ids are integers; those of locations are texts. */
export const id = z.union([z.number().int(), z.string().min(1)]).transform(String)

/** An empty text becomes null. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** Number that some API versions send as a text. */
const numeric = z.union([z.number(), z.string().regex(/^\s*[+-]?\d+(\.\d+)?\s*$/)]).transform(Number)

/** Optional number, which may be a text. An empty text becomes null. */
export const number = z.preprocess(
  (value) => (value === '' ? null : (numeric.safeParse(value).data ?? value)),
  optionalNumber,
)

/** Required distance: without it the record is rejected. */
export const distance = numeric

export const latitude = numeric.refine((value) => Math.abs(value) <= 90, 'not a latitude')
export const longitude = numeric.refine((value) => Math.abs(value) <= 180, 'not a longitude')

/** Reference to another record; null if there is none. */
export const ref = z
  .looseObject({ id: id.nullish() })
  .nullish()
  .transform((value) => value?.id ?? null)

export const owner = z.looseObject({ id })

/** Vehicle with the units of its measurements. */
export const measuredVehicle = z.looseObject({ id, metric_units: z.boolean() })

import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'

/** What Motive's records are made of. Ids are integers; times RFC 3339, of users with microseconds. */

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

/** An id of locations is a text. */
export const id = z.union([z.number().int(), z.string().min(1)]).transform(String)

/** An empty text is none. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** What is a number in some versions and a text in others. */
const numeric = z.union([z.number(), z.string().regex(/^\s*[+-]?\d+(\.\d+)?\s*$/)]).transform(Number)

const optional = (shape: z.ZodType<number, unknown>) =>
  shape
    .nullish()
    .catch(null)
    .transform((value) => value ?? null)

/** What cannot be is not told, and costs its record nothing else. */
export const number = optional(numeric)
export const measure = optional(numeric.refine((value) => value >= 0))
export const percent = optional(numeric.refine((value) => value >= 0 && value <= 100))
export const degrees = optional(numeric.refine((value) => value >= 0 && value <= 360))

/** Where its record is nothing without it. */
export const distance = numeric.refine((value) => value >= 0, 'not a distance')

export const latitude = numeric.refine((value) => Math.abs(value) <= 90, 'not a latitude')
export const longitude = numeric.refine((value) => Math.abs(value) <= 180, 'not a longitude')

/** Somebody or something, as others mention it; it may be nobody. */
export const ref = z
  .looseObject({ id: id.nullish() })
  .nullish()
  .transform((value) => value?.id ?? null)

export const owner = z.looseObject({ id })

/** A vehicle with the units of what is told of it. */
export const measuredVehicle = z.looseObject({ id, metric_units: z.boolean() })

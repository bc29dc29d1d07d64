import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'

// Field types of the sandbox provider's records. `text`, `number`, `point` and `plate` can be null. Times are
// RFC 3339, distances miles, volumes US gallons.

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})
export const id = z.string().min(1)
export const text = z.string().nullable()
export const number = z.number().nullable()
export const amount = z.number().min(0)
export const percent = z.number().min(0).max(100)
export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)
export const point = z.object({ lat: latitude, lng: longitude }).nullable()
export const plate = z.object({ state: text, number: text }).nullable()
export const status = z.string()
/** Fields of a record that a fleet can remove. A removed record stays in its list, with its removal time. */
export const removable = { id, createdAt: instant, updatedAt: instant, removedAt: instant.nullable() }

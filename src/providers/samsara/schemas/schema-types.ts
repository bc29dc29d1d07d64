import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'

/** What Samsara's records are made of. Ids are texts; times RFC 3339, now and then with an offset. */

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

export const id = z.string().min(1)

/** An empty text is none. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || null)

/** Somebody who may be nobody: of those the id is empty or 0. */
export const reference = z
  .looseObject({ id: z.string().nullish() })
  .nullish()
  .transform((value) => (value?.id && value.id !== '0' ? value.id : null))

export const owner = z.looseObject({ id })

export const tags = z
  .array(owner)
  .nullish()
  .transform((value) => (value ?? []).map((tag) => tag.id))

/** One of the published examples is at latitude 122.142. */
export const place = z.looseObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
})

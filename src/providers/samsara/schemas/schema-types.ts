import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'
import { readableId } from '../../mapping/source-id.ts'
import { optionalText } from '../../mapping/text.ts'
import { latitude, longitude } from '../../mapping/valid-coordinates.ts'

/** Field types of Samsara's records. Ids are texts. Times have the format of RFC 3339, some with an offset from UTC. */

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

export const id = readableId

/** An empty text becomes null. */
export const text = optionalText

/** Optional reference to another record. An empty id or 0 means none. */
export const reference = z
  .looseObject({ id: z.union([z.literal(''), readableId]).nullish() })
  .nullish()
  .transform((value) => (value?.id && value.id !== '0' ? value.id : null))

export const owner = z.looseObject({ id })

export const tags = z
  .array(owner)
  .nullish()
  .transform((value) => (value ?? []).map((tag) => tag.id))

/** Coordinates. Their range is checked, because an example in Samsara's documentation has latitude 122.142. */
export const place = z.looseObject({
  latitude,
  longitude,
})

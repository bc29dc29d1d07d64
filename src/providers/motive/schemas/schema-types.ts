import { z } from 'zod'
import { toInstant } from '../../../domain/time.ts'
import { readableBoolean } from '../../mapping/boolean.ts'
import { decimal, optionalNumber } from '../../mapping/numbers.ts'
import { readableId } from '../../mapping/source-id.ts'
import { optionalText } from '../../mapping/text.ts'

/** Field types of Motive's records. Times have the format of RFC 3339; those of users have microseconds. */

export const instant = z.string().transform((text, context) => {
  const at = toInstant(text)
  if (at === null) context.addIssue({ code: 'custom', message: 'not a date-time' })
  return at ?? 0
})

/** Ids are integers; those of locations are texts. */
export const id = readableId

/** An empty text becomes null. */
export const text = optionalText

/** Optional number, which some API versions send as a text. */
export const number = optionalNumber

/** Required distance: without it the record is rejected. */
export const distance = decimal

/** Reference to another record; null if there is none. */
export const ref = z
  .looseObject({ id: id.nullish() })
  .nullish()
  .transform((value) => value?.id ?? null)

export const owner = z.looseObject({ id })

/** Vehicle with the units of its measurements. */
export const measuredVehicle = z.looseObject({ id, metric_units: readableBoolean })

import { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import { isObject } from '../../../platform/is-object.ts'
import { validateParts } from '../../mapping/readable-parts.ts'
import { validate } from '../../mapping/validate.ts'
import { id, text } from './schema-types.ts'

const company = z.looseObject({
  id,
  name: text,
  dot_ids: z
    .array(text)
    .nullish()
    .transform((ids) => (ids ?? []).filter((one) => one !== null)),
  /** Rails name of the time zone. */
  time_zone: text,
})

export type Company = z.infer<typeof company>

/** Name of the time zone; null if it is missing or unreadable. */
const zoned = z.looseObject({ company: z.looseObject({ time_zone: text.catch(null) }) })

const response = z.looseObject({ companies: z.array(z.unknown()) })
const item = z.looseObject({ company })

/** Returns the company of the account, the only one in the list. */
export const companyIn = (body: unknown): Company => validateParts(item, firstIn(body)).company

/** Returns the Rails name of the company's time zone, even if the other members of the company are unreadable. */
export const timeZoneNameIn = (body: unknown): string | null =>
  zoned.safeParse(firstIn(body)).data?.company.time_zone ?? null

function firstIn(body: unknown): unknown {
  const first = validate(response, body).companies.find(isObject)
  if (!first) throw new ProviderError('malformed', 'the response has no company')
  return first
}

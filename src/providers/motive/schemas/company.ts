import { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import { isObject } from '../../../platform/is-object.ts'
import { validate } from '../../mapping/validate.ts'
import { text } from './schema-types.ts'

const company = z.looseObject({
  id: z.union([z.number().int(), z.string().min(1)]),
  name: text,
  dot_ids: z
    .array(z.union([z.string(), z.number()]).transform((value) => String(value).trim()))
    .nullish()
    .transform((ids) => (ids ?? []).filter((id) => id !== '')),
  /** Rails name of the time zone. */
  time_zone: text,
})

export type Company = z.infer<typeof company>

const response = z.looseObject({ companies: z.array(z.unknown()) })
const item = z.looseObject({ company })

/** Returns the company of the account, the only one in the list. */
export function companyIn(body: unknown): Company {
  const first = validate(response, body).companies.find(isObject)
  if (!first) throw new ProviderError('malformed', 'the response has no company')
  return validate(item, first).company
}

import { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import { text } from './schema-types.ts'

const company = z.looseObject({
  id: z.union([z.number().int(), z.string().min(1)]),
  name: text,
  dot_ids: z
    .array(z.union([z.string(), z.number()]).transform((value) => String(value).trim()))
    .nullish()
    .transform((ids) => (ids ?? []).filter((one) => one !== '')),
  /** By the name that Rails has for it. */
  time_zone: text,
})

export type Company = z.infer<typeof company>

const answer = z.looseObject({ companies: z.array(z.looseObject({ company })) })

/** The company that asks, in the list of which it is the only member. */
export function companyIn(told: unknown): Company {
  const [first] = validate(answer, told).companies
  if (!first) throw new ProviderError('malformed', 'no company is told')
  return first.company
}

import { z } from 'zod'
import type { LimitedRequest, RateLimit } from '../rate-limit/rate-limit.ts'
import type { ProviderCredentials } from '../provider.ts'

/** Each method has a limit per record type. Geotab's sources differ on the limit of Get; 500 is the smallest. */
export const rateLimits: readonly RateLimit[] = [
  { per: 'account', requests: 60, perSeconds: 60, endpoints: ['GetFeed *'], each: true },
  { per: 'account', requests: 500, perSeconds: 60, endpoints: ['Get *'], each: true },
  { per: 'account', requests: 8, perSeconds: 60, endpoints: ['ExecuteMultiCall *'], each: true },
  { per: 'account', requests: 8, perSeconds: 60, endpoints: ['Authenticate *'] },
]

/** Account of the rate limit: a user of a database. */
export const rateLimitAccountOf = ({ database, userName }: ProviderCredentials): string =>
  JSON.stringify([database, userName]).toLowerCase()

const callSchema = z.object({
  method: z.string(),
  params: z.object({
    typeName: z.string().optional(),
    calls: z.array(z.object({ params: z.object({ typeName: z.string() }) })).optional(),
  }),
})

/**
 * Returns the method and the record type, for example `GetFeed Trip`, or `Authenticate ` without a type. A multi-call
 * counts for the record type of its first call.
 */
export function endpointOf({ method, path, body }: LimitedRequest): string {
  const { data } = callSchema.safeParse(bodyIn(body))
  if (!data) return `${method} ${path}`
  const { typeName, calls } = data.params
  return `${data.method} ${typeName ?? calls?.[0]?.params.typeName ?? ''}`
}

function bodyIn(body: string | null | undefined): unknown {
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return null
  }
}

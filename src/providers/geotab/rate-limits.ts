import { z } from 'zod'
import type { LimitedRequest, RateLimit } from '../rate-limit/rate-limit.ts'
import type { ProviderCredentials } from '../provider.ts'

/** Each method has a limit for each type; of those that sources tell for Get, the smallest is kept to. */
export const rateLimits: readonly RateLimit[] = [
  { per: 'account', requests: 60, perSeconds: 60, endpoints: ['GetFeed *'], each: true },
  { per: 'account', requests: 500, perSeconds: 60, endpoints: ['Get *'], each: true },
  { per: 'account', requests: 8, perSeconds: 60, endpoints: ['ExecuteMultiCall *'], each: true },
  { per: 'account', requests: 8, perSeconds: 60, endpoints: ['Authenticate *'] },
]

/** Whose calls are counted together. */
export const countedAs = ({ database, userName }: ProviderCredentials): string =>
  JSON.stringify([database, userName]).toLowerCase()

const callSchema = z.object({
  method: z.string(),
  params: z.object({
    typeName: z.string().optional(),
    calls: z.array(z.object({ params: z.object({ typeName: z.string() }) })).optional(),
  }),
})

/** `GetFeed Trip`, `Authenticate `; many calls in one are those of the first one's type. */
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

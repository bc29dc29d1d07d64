import { z } from 'zod'
import type { Dialect } from '../answered.ts'
import { ProviderError } from '../api.ts'

const told = z.looseObject({
  message: z.string().catch(''),
  /** Older servers tell the type in `data` alone, the newest in `errors` alone. */
  data: z.looseObject({ type: z.string().optional() }).nullish().catch(null),
  errors: z
    .array(z.looseObject({ name: z.string().optional() }))
    .nullish()
    .catch(null),
})

const answer = z.looseObject({ result: z.unknown().optional(), error: told.nullish() })

/** MyGeotab answers nearly all errors with status 200. */
export const dialect: Dialect = {
  parse,
  answerIn(body, retryAfterMs) {
    const { data } = answer.safeParse(body)
    if (!data) throw new ProviderError('malformed', 'the answer is none of a call')
    if (data.error) throw errorOf(data.error, retryAfterMs)
    return data.result ?? null
  },
}

/** A speed that is not a number has been seen as what JSON has no word for. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.replaceAll(/(?<=":\s*)NaN\b/g, 'null'))
  }
}

const SAID = 'the provider answered '

/** Whether it was understood, and what was asked is refused: not who asks, nor how often. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'malformed' && error.message.startsWith(SAID)

/** Whether this server does not have the database: another may. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'revoked' && error.message === `${SAID}${UNAVAILABLE}`

function errorOf({ message, data, errors }: z.infer<typeof told>, retryAfterMs: number | undefined) {
  const type = errors?.[0]?.name ?? data?.type ?? 'an error without a type'
  const said = `${SAID}${type}`
  if (type === 'OverLimitException') return new ProviderError('limited', said, { retryAfterMs })
  return new ProviderError(kindOf(type, message), said, { retryAfterMs })
}

const UNAVAILABLE = 'DbUnavailableException'

/** Of a session that has ended and of a bad password it says the same. */
function kindOf(type: string, message: string) {
  if (type === 'InvalidUserException') return 'revoked'
  if (type === UNAVAILABLE) return message.includes('UnknownDatabase') ? 'revoked' : 'unavailable'
  if (/clearance|permission/i.test(message)) return 'scope_missing'
  return type === 'GenericException' ? 'unavailable' : 'malformed'
}

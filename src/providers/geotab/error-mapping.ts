import { z } from 'zod'
import type { ErrorMapping } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'
import { isTooLarge } from '../http/bounded-body.ts'

const errorSchema = z.looseObject({
  message: z.string().catch(''),
  /** Older servers tell the type in `data` alone, the newest in `errors` alone. */
  data: z.looseObject({ type: z.string().optional() }).nullish().catch(null),
  errors: z
    .array(z.looseObject({ name: z.string().optional() }))
    .nullish()
    .catch(null),
})

const answerSchema = z.looseObject({ result: z.unknown().optional(), error: errorSchema.nullish() })

/** MyGeotab answers nearly all errors with status 200. */
export const errorMapping: ErrorMapping = {
  parse,
  answerIn(body, retryAfterMs) {
    const { data } = answerSchema.safeParse(body)
    if (!data) throw new ProviderError('malformed', 'the answer is none of a call')
    if (data.error) throw errorOf(data.error, retryAfterMs)
    return data.result ?? null
  },
  errorIn(_status, text) {
    const error = errorIn(text)
    return isTooManyResults(error) ? error : null
  },
}

function errorIn(text: string): ProviderError | null {
  try {
    const { error } = answerSchema.parse(parse(text))
    return error ? errorOf(error, undefined) : null
  } catch {
    return null
  }
}

/** A speed that is not a number has been seen as what JSON has no word for. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.replaceAll(/(?<=":\s*)NaN\b/g, 'null'))
  }
}

const ERROR_PREFIX = 'the provider answered '

/** Whether it was understood, and what was asked is refused: not who asks, nor how often. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'malformed' && error.message.startsWith(ERROR_PREFIX)

/** Whether this server does not have the database: another may. */
export const isUnknownDatabase = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.kind === 'revoked' &&
  error.message === `${ERROR_PREFIX}${UNAVAILABLE}`

/** Whether this server knows no such type: of an unknown type it says what it says of an unknown method. */
export const isUnknownType = (error: unknown): boolean =>
  isRefusal(error) && (error as ProviderError).message === `${ERROR_PREFIX}MissingMethodException`

/** Whether more was found than is given at once, or than is read of an answer: less may be asked for. */
export const isTooManyResults = (error: unknown): boolean =>
  isTooLarge(error) ||
  (isRefusal(error) && (error as ProviderError).message === `${ERROR_PREFIX}${OVER_LIMIT}`)

function errorOf({ message, data, errors }: z.infer<typeof errorSchema>, retryAfterMs: number | undefined) {
  const type = errors?.[0]?.name ?? data?.type ?? 'an error without a type'
  const said = `${ERROR_PREFIX}${type}`
  if (type === OVER_LIMIT && (retryAfterMs !== undefined || !isOfResults(message)))
    return new ProviderError('limited', said, { retryAfterMs })
  return new ProviderError(kindOf(type, message), said, { retryAfterMs })
}

const OVER_LIMIT = 'OverLimitException'

/** Of too many calls and of too many results it says the same, but that calls may be made again after a time. */
const isOfResults = (message: string): boolean => /\bresults?\b/i.test(message) && !/\bquota\b/i.test(message)

const UNAVAILABLE = 'DbUnavailableException'

/** Of a session that has ended and of a bad password it says the same. */
function kindOf(type: string, message: string) {
  if (type === 'InvalidUserException') return 'revoked'
  if (type === UNAVAILABLE) return message.includes('UnknownDatabase') ? 'revoked' : 'unavailable'
  if (/clearance|permission/i.test(message)) return 'scope_missing'
  return type === 'GenericException' ? 'unavailable' : 'malformed'
}

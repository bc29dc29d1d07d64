import { z } from 'zod'
import type { ErrorMapping } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'
import { isTooLarge } from '../http/bounded-body.ts'

const errorSchema = z.looseObject({
  message: z.string().catch(''),
  /** Older servers send the type only in `data`, the newest only in `errors`. */
  data: z.looseObject({ type: z.string().optional() }).nullish().catch(null),
  errors: z
    .array(z.looseObject({ name: z.string().optional() }))
    .nullish()
    .catch(null),
})

const responseSchema = z.looseObject({ result: z.unknown().optional(), error: errorSchema.nullish() })

/** MyGeotab answers nearly all errors with status 200. */
export const errorMapping: ErrorMapping = {
  parse,
  answerIn(body, retryAfterMs) {
    const { data } = responseSchema.safeParse(body)
    if (!data)
      throw new ProviderError('malformed', 'the response is not a JSON object with a result or an error')
    if (data.error) throw errorOf(data.error, retryAfterMs)
    return data.result ?? null
  },
  /** Only an excess of results depends on the text. For all other errors the status is enough. */
  errorIn(_status, text) {
    const error = errorInText(text)
    return isTooManyResults(error) ? error : null
  },
}

function errorInText(text: string): ProviderError | null {
  try {
    const { error } = responseSchema.parse(parse(text))
    return error ? errorOf(error, undefined) : null
  } catch {
    return null
  }
}

/** Parses JSON. Some servers send a speed as NaN, which JSON does not have. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.replaceAll(/(?<=":\s*)NaN\b/g, 'null'))
  }
}

const ERROR_PREFIX = 'the provider answered '

/** Whether the provider refused the content of a request, not its credentials or rate. */
const isContentRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.isRefusal

/** Whether this server does not have the database; another may have it. */
export const isUnknownDatabase = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.kind === 'invalid_credentials' &&
  error.message === `${ERROR_PREFIX}${DATABASE_UNAVAILABLE}`

/** Whether this server does not know the record type. It answers as for an unknown method. */
export const isUnknownType = (error: unknown): boolean =>
  isContentRefusal(error) && error.message === `${ERROR_PREFIX}MissingMethodException`

/**
 * Whether the result exceeds the limit of the provider or the size limit of a response. A smaller request may
 * succeed.
 */
export const isTooManyResults = (error: unknown): boolean =>
  isTooLarge(error) || (isContentRefusal(error) && error.message === `${ERROR_PREFIX}${OVER_LIMIT}`)

function errorOf({ message, data, errors }: z.infer<typeof errorSchema>, retryAfterMs: number | undefined) {
  const type = errors?.[0]?.name ?? data?.type ?? 'an error without a type'
  const errorText = `${ERROR_PREFIX}${type}`
  if (type === OVER_LIMIT && (retryAfterMs !== undefined || !isAboutResults(message)))
    return new ProviderError('limited', errorText, { retryAfterMs })
  const kind = kindOf(type, message)
  return new ProviderError(kind, errorText, { retryAfterMs, isRefusal: kind === 'malformed' })
}

const OVER_LIMIT = 'OverLimitException'

/** Whether the message is about too many results. The error for too many calls has the same type, but names a quota. */
const isAboutResults = (message: string): boolean =>
  /\bresults?\b/i.test(message) && !/\bquota\b/i.test(message)

const DATABASE_UNAVAILABLE = 'DbUnavailableException'

/** An expired session and a wrong password have the same error type. */
function kindOf(type: string, message: string) {
  if (type === 'InvalidUserException') return 'invalid_credentials'
  if (type === DATABASE_UNAVAILABLE)
    return message.includes('UnknownDatabase') ? 'invalid_credentials' : 'unavailable'
  if (/clearance|permission/i.test(message)) return 'scope_missing'
  return type === 'GenericException' ? 'unavailable' : 'malformed'
}

import { ProviderError } from '../provider-error.ts'
import { readErrorText, MAX_READ_BYTES, MAX_SIGN_IN_BYTES, readText } from './bounded-body.ts'
import { sendRequest, type ProviderEndpoint } from './http-request.ts'
import { parseHttpDate } from '../../platform/outbound-http/http-date.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { redactSecrets, redactSecretsInError } from '../../platform/logging/redact-secrets.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

const TIMEOUT_MS = 20_000

interface JsonRequest extends ProviderEndpoint {
  readonly url: URL
  readonly request: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }
  /** Secrets of the request, to be redacted from the response. */
  readonly secrets?: readonly string[]
  readonly signal: AbortSignal
  readonly attempt?: number
  readonly errorMapping?: ErrorMapping | undefined
  /** Size limit of the decompressed response. */
  readonly maxBytes?: number
}

/** Interprets the responses of a provider whose HTTP statuses do not identify all errors. */
export interface ErrorMapping {
  /** Parses a body, for a provider whose JSON is not always valid. Throws if the body cannot be parsed. */
  parse?(text: string): unknown
  /**
   * Extracts the result from a response with status 200. Throws a `ProviderError` if the body is an error.
   */
  answerIn?(answer: unknown, retryAfterMs: number | undefined): unknown
  /** Returns the error that the text of a failed response describes; null if the status identifies it. */
  errorIn?(status: number, text: string): ProviderError | null
}

/** Sends a request and returns the JSON of the response. Throws a `ProviderError` for any failure but an abort. */
export async function requestJson(request: JsonRequest): Promise<unknown> {
  const { errorMapping, secrets, maxBytes = MAX_READ_BYTES } = request
  const response = await fetchResponse(request)
  if (response.ok) {
    const answer = await readBody(response, { secrets, parse: errorMapping?.parse, maxBytes })
    return errorMapping?.answerIn ? errorMapping.answerIn(answer, retryAfterOf(response)) : answer
  }
  const describedError = errorMapping?.errorIn?.(response.status, await readErrorText(response))
  if (!describedError) await response.body?.cancel()
  throw describedError ?? errorOfResponse(response)
}

/** Sends a request and returns the response, whatever its status. A redirect is an error, which is not retried. */
export async function fetchResponse(options: JsonRequest): Promise<Response> {
  const { url, request, secrets, signal, attempt, ...endpoint } = options
  const timedSignal = AbortSignal.any([signal, deadlineSignal(TIMEOUT_MS)])
  const response = await sendRequest(
    endpoint,
    url,
    { ...request, redirect: 'manual', signal: timedSignal },
    attempt,
  ).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw noResponseError(url, cause, secrets)
  })
  const target = redirectTargetOf(response, url)
  if (!target) return response
  await response.body?.cancel()
  throw new ProviderError('malformed', `${url.host} redirects to ${target.origin}`)
}

/** Returns the URL to which a response redirects; null if it is no redirect. */
function redirectTargetOf({ status, headers }: Response, url: URL): URL | null {
  const location = headers.get('location')
  return status >= 300 && status < 400 && location !== null ? parseUrl(location, url.href) : null
}

interface ReadOptions {
  readonly secrets?: readonly string[] | undefined
  readonly parse?: ErrorMapping['parse']
  readonly maxBytes?: number
}

/** Reads and parses a response body. The default size limit is that of a sign-in. */
export async function readBody(
  response: Response,
  { secrets = [], parse = JSON.parse, maxBytes = MAX_SIGN_IN_BYTES }: ReadOptions = {},
): Promise<unknown> {
  const text = redactSecrets(await readText(response, maxBytes, secrets), secrets)
  try {
    return parse(text)
  } catch {
    // No cause: it quotes the text, which may be a token.
    throw new ProviderError('malformed', 'the answer is not JSON')
  }
}

export function errorOfResponse(response: Response): ProviderError {
  const { status } = response
  const message = `the provider answered ${status}`
  const retryAfterMs = retryAfterOf(response)
  if (status === 401) return new ProviderError('invalid_credentials', message)
  if (status === 403) return new ProviderError('scope_missing', message)
  if (status === 429) return new ProviderError('limited', message, { retryAfterMs })
  if (status >= 500 || status === 408) return new ProviderError('unavailable', message, { retryAfterMs })
  return new ProviderError('malformed', message, { isRefusal: true })
}

const retryAfterOf = ({ headers }: Response) => toRetryAfterMs(headers.get('retry-after'))

/** Longest wait that is accepted from a provider. A longer one is most likely a mistake. */
const MAX_RETRY_AFTER_MS = 3_600_000

/**
 * Converts `Retry-After`, a number of seconds or an HTTP date, to milliseconds, an hour at most; undefined for any
 * other value.
 */
export function toRetryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds))
    return seconds < 0 ? undefined : Math.min(seconds * 1000, MAX_RETRY_AFTER_MS)
  const at = parseHttpDate(header.trim())
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX_RETRY_AFTER_MS)
}

export const noResponseError = (url: URL, cause: unknown, secrets: readonly string[] = []): ProviderError =>
  new ProviderError('unavailable', `${url.host} did not answer`, {
    cause: redactSecretsInError(cause, secrets),
    timedOut: isTimeout(cause),
  })

const isTimeout = (cause: unknown): boolean => (cause as { name?: unknown } | null)?.name === 'TimeoutError'

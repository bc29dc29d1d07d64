import { ProviderError } from '../provider-error.ts'
import { readErrorText, MAX_READ_BYTES, MAX_SIGN_IN_BYTES, readText } from './bounded-body.ts'
import { sendRequest, type ProviderEndpoint } from './http-request.ts'
import { redactSecrets, redactSecretsInError } from '../../platform/logging/redact-secrets.ts'

const TIMEOUT_MS = 20_000

interface JsonRequest extends ProviderEndpoint {
  readonly url: URL
  readonly request: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }
  /** What it is asked with that it must not say again. */
  readonly secrets?: readonly string[]
  readonly signal: AbortSignal
  readonly attempt?: number
  readonly errorMapping?: ErrorMapping | undefined
  /** So large the answer may be, unpacked. */
  readonly maxBytes?: number
}

/** How a provider words what the status of its answer does not tell. */
export interface ErrorMapping {
  /** Reads the text of an answer that is not quite JSON; throws where it is none. */
  parse?(text: string): unknown
  /** What there is to be read in an answer of status 200; throws a `ProviderError` where it is an error after all. */
  answerIn?(answer: unknown, retryAfterMs: number | undefined): unknown
  /** What an error stands for by its text; null where its status says enough. */
  errorIn?(status: number, text: string): ProviderError | null
}

/** The JSON that a provider answers, or the `ProviderError` that its answer stands for. */
export async function requestJson(request: JsonRequest): Promise<unknown> {
  const { errorMapping, secrets, maxBytes = MAX_READ_BYTES } = request
  const response = await fetchResponse(request)
  if (response.ok) {
    const answer = await readBody(response, { secrets, parse: errorMapping?.parse, maxBytes })
    return errorMapping?.answerIn ? errorMapping.answerIn(answer, retryAfterOf(response)) : answer
  }
  const said = errorMapping?.errorIn?.(response.status, await readErrorText(response))
  if (!said) await response.body?.cancel()
  throw said ?? errorOfResponse(response)
}

/** An answer of whatever status; redirects are not followed. */
export async function fetchResponse(asking: JsonRequest): Promise<Response> {
  const { url, request, secrets, signal, attempt, ...line } = asking
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    return await sendRequest(line, url, { ...request, redirect: 'error', signal: limit }, attempt)
  } catch (cause) {
    signal.throwIfAborted()
    throw unanswered(url, cause, secrets)
  }
}

interface ReadOptions {
  readonly secrets?: readonly string[] | undefined
  readonly parse?: ErrorMapping['parse']
  readonly maxBytes?: number
}

/** What is in an answer; without a limit of its own, in that of a sign-in. */
export async function readBody(
  response: Response,
  { secrets = [], parse = JSON.parse, maxBytes = MAX_SIGN_IN_BYTES }: ReadOptions = {},
): Promise<unknown> {
  const text = redactSecrets(await readText(response, maxBytes, secrets), secrets)
  try {
    return parse(text)
  } catch {
    // Without its cause: that quotes the text, which may be a token.
    throw new ProviderError('malformed', 'the answer is not JSON')
  }
}

export function errorOfResponse(response: Response): ProviderError {
  const { status } = response
  const told = `the provider answered ${status}`
  const retryAfterMs = retryAfterOf(response)
  if (status === 401) return new ProviderError('revoked', told)
  if (status === 403) return new ProviderError('scope_missing', told)
  if (status === 429) return new ProviderError('limited', told, { retryAfterMs })
  if (status >= 500 || status === 408) return new ProviderError('unavailable', told, { retryAfterMs })
  return new ProviderError('malformed', told)
}

const retryAfterOf = ({ headers }: Response) => toRetryAfterMs(headers.get('retry-after'))

/** Seconds, whole or fractional, or an HTTP date; undefined where the header is neither. */
export function toRetryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

export const unanswered = (url: URL, cause: unknown, secrets: readonly string[] = []): ProviderError =>
  new ProviderError('unavailable', `${url.host} did not answer`, {
    cause: redactSecretsInError(cause, secrets),
    timedOut: isTimeout(cause),
  })
const isTimeout = (cause: unknown): boolean => (cause as { name?: unknown } | null)?.name === 'TimeoutError'

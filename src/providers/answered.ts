import { ProviderError } from './api.ts'
import { beginningOf, MOST_BYTES_READ, MOST_BYTES_SIGNING_IN, textWithin } from './bodies.ts'
import { call, type Line } from './call.ts'
import { unanswered } from './pass.ts'
import { withoutEcho } from '../without-echo.ts'

const TIMEOUT_MS = 20_000

interface Asking extends Line {
  readonly url: URL
  readonly request: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }
  /** What it is asked with that it must not say again. */
  readonly secrets?: readonly string[]
  readonly signal: AbortSignal
  readonly attempt?: number
  readonly dialect?: Dialect | undefined
  /** So large the answer may be, unpacked. */
  readonly mostBytes?: number
}

/** How a provider words what the status of its answer does not tell. */
export interface Dialect {
  /** Reads the text of an answer that is not quite JSON; throws where it is none. */
  parse?(text: string): unknown
  /** What there is to be read in an answer of status 200; throws a `ProviderError` where it is an error after all. */
  answerIn?(answer: unknown, retryAfterMs: number | undefined): unknown
  /** What an error stands for by its text; null where its status says enough. */
  errorIn?(status: number, text: string): ProviderError | null
}

/** The JSON that a provider answers, or the `ProviderError` that its answer stands for. */
export async function answered(asking: Asking): Promise<unknown> {
  const { dialect, secrets, mostBytes = MOST_BYTES_READ } = asking
  const response = await fetched(asking)
  if (response.ok) {
    const answer = await bodyOf(response, { secrets, parse: dialect?.parse, mostBytes })
    return dialect?.answerIn ? dialect.answerIn(answer, retryAfterOf(response)) : answer
  }
  const said = dialect?.errorIn?.(response.status, await beginningOf(response))
  if (!said) await response.body?.cancel()
  throw said ?? refusal(response)
}

/** An answer of whatever status; redirects are not followed. */
export async function fetched(asking: Asking): Promise<Response> {
  const { url, request, secrets, signal, attempt, ...line } = asking
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    return await call(line, url, { ...request, redirect: 'error', signal: limit }, attempt)
  } catch (cause) {
    signal.throwIfAborted()
    throw unanswered(url, cause, secrets)
  }
}

interface Reading {
  readonly secrets?: readonly string[] | undefined
  readonly parse?: Dialect['parse']
  readonly mostBytes?: number
}

/** What is in an answer; without a limit of its own, in that of a sign-in. */
export async function bodyOf(
  response: Response,
  { secrets = [], parse = JSON.parse, mostBytes = MOST_BYTES_SIGNING_IN }: Reading = {},
): Promise<unknown> {
  const text = withoutEcho(await textWithin(response, mostBytes, secrets), secrets)
  try {
    return parse(text)
  } catch {
    // Without its cause: that quotes the text, which may be a token.
    throw new ProviderError('malformed', 'the answer is not JSON')
  }
}

export function refusal(response: Response): ProviderError {
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

import { ProviderError } from './api.ts'
import { call, type Line } from './call.ts'
import { unanswered } from './pass.ts'
import { errorWithoutEcho, withoutEcho } from '../without-echo.ts'

const TIMEOUT_MS = 20_000

interface Asking extends Line {
  readonly url: URL
  readonly request: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }
  /** What it is asked with that it must not say again. */
  readonly secrets?: readonly string[]
  readonly signal: AbortSignal
  readonly attempt?: number
  readonly dialect?: Dialect | undefined
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

/** More of an error is not read. */
const MOST_ERROR_TEXT = 64 * 1024

/** The JSON that a provider answers, or the `ProviderError` that its answer stands for. */
export async function answered(asking: Asking): Promise<unknown> {
  const { dialect, secrets } = asking
  const response = await fetched(asking)
  if (response.ok) {
    const answer = await bodyOf(response, secrets, dialect?.parse)
    return dialect?.answerIn ? dialect.answerIn(answer, retryAfterOf(response)) : answer
  }
  const said = dialect?.errorIn?.(response.status, await textOf(response))
  if (!said) await response.body?.cancel()
  throw said ?? refusal(response)
}

/** The beginning of an error's text, as far as it came. */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MOST_ERROR_TEXT) break
    }
  } catch {
    return text
  }
  return text
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

export async function bodyOf(
  response: Response,
  secrets: readonly string[] = [],
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  let text: string
  try {
    text = withoutEcho(await response.text(), secrets)
  } catch (cause) {
    throw new ProviderError('unavailable', 'the answer broke off', {
      cause: errorWithoutEcho(cause, secrets),
    })
  }
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

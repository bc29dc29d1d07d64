import { setTimeout as wait } from 'node:timers/promises'
import { opened, sent, unanswered } from './pass.ts'

/**
 * Why a provider did not answer as hoped: `revoked` credentials, `limited` by its rate, a `scope_missing`,
 * `unavailable` for now, a `malformed` answer. What the engine does next depends on this alone.
 */
export type ProviderErrorKind = 'revoked' | 'limited' | 'scope_missing' | 'unavailable' | 'malformed'

export class ProviderError extends Error {
  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    {
      retryAfterMs,
      cause,
      timedOut = false,
    }: { retryAfterMs?: number | undefined; cause?: unknown; timedOut?: boolean } = {},
  ) {
    super(message, { cause })
    this.name = 'ProviderError'
    this.timedOut = timedOut
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }

  readonly retryAfterMs?: number
  /** It did not answer in time, as against not at all. */
  readonly timedOut: boolean
}

/** A request as a caller words it, for a provider's API of which the host and the credentials are given. */
export interface PassedRequest {
  readonly method: string
  /** Begins with a slash; may have a query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What a provider said to it, whatever it said. */
export interface PassedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A provider's HTTP API with one account's credentials. */
export interface ProviderApi {
  get(path: string, query?: Readonly<Record<string, string | number | null>>): Promise<unknown>
  /** Sends a request as it is, once. A status of whatever kind is an answer; redirects are not followed. */
  send(request: PassedRequest): Promise<PassedResponse>
  /** Opens a file at an address that the provider gave; its credentials go to its own host alone. */
  file(address: string): Promise<Response>
}

interface ApiOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const ATTEMPTS = 5
const TIMEOUT_MS = 20_000
/** A wait that is longer than this is the job's to keep, not the request's. */
const LONGEST_WAIT_MS = 15_000

/** Asks again after what passes: limits, as told to wait, and outages, with doubling pauses. */
export function providerApi({ baseUrl, headers, signal }: ApiOptions): ProviderApi {
  const ask = async (url: URL): Promise<unknown> => {
    const response = await fetched(url, headers, signal)
    if (response.ok) return bodyOf(response)
    await response.body?.cancel()
    throw refusal(response)
  }
  return {
    send: (request) => sent(baseUrl, headers, request, signal),
    file: (address) => opened(baseUrl, headers, address, signal),
    async get(path, query = {}) {
      const url = new URL(baseUrl + path)
      for (const [name, value] of Object.entries(query))
        if (value !== null) url.searchParams.set(name, String(value))
      for (let attempt = 1; ; attempt++) {
        try {
          return await ask(url)
        } catch (error) {
          const pauseMs = pauseBefore(error, attempt)
          if (pauseMs === null) throw error
          await wait(pauseMs, undefined, { signal })
        }
      }
    },
  }
}

function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProviderError) || attempt >= ATTEMPTS) return null
  if (error.kind !== 'limited' && error.kind !== 'unavailable') return null
  const pauseMs = error.retryAfterMs ?? 250 * 2 ** attempt * (0.8 + 0.4 * Math.random())
  return pauseMs > LONGEST_WAIT_MS ? null : pauseMs
}

async function fetched(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, {
      headers,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw unanswered(url, cause)
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    throw new ProviderError('unavailable', 'the answer broke off', { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ProviderError('malformed', 'the answer is not JSON', { cause })
  }
}

function refusal(response: Response): ProviderError {
  const { status } = response
  const told = `the provider answered ${status}`
  const retryAfterMs = toRetryAfterMs(response.headers.get('retry-after'))
  if (status === 401) return new ProviderError('revoked', told)
  if (status === 403) return new ProviderError('scope_missing', told)
  if (status === 429) return new ProviderError('limited', told, { retryAfterMs })
  if (status >= 500 || status === 408) return new ProviderError('unavailable', told, { retryAfterMs })
  return new ProviderError('malformed', told)
}

/** Seconds, whole or fractional, or an HTTP date; undefined where the header is neither. */
export function toRetryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

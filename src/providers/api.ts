import { setTimeout as wait } from 'node:timers/promises'
import { noTurns, type Turns } from './budgets/turns.ts'
import { call } from './call.ts'
import { isOwn, opened, sent, unanswered } from './pass.ts'

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
  /** Its code, by which its requests are counted. */
  readonly provider?: string
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** The account's turns in the provider's budgets; without them nothing is limited. */
  readonly turns?: Turns
}

const ATTEMPTS = 5
const TIMEOUT_MS = 20_000
/** A wait that is longer than this is the job's to keep, not the request's. */
const LONGEST_WAIT_MS = 15_000

/** A provider that says too many requests and not for how long. */
const UNTOLD_PAUSE_MS = 1_000

/** Asks when it is its turn, and again after what passes: limits, as told to wait, and outages, with doubling pauses. */
export function providerApi(options: ApiOptions): ProviderApi {
  const { provider = 'other', baseUrl, headers, signal, turns = noTurns } = options
  const ask = async (url: URL, attempt: number, answered: () => void): Promise<unknown> => {
    const response = await fetched({ provider, url, headers, signal, attempt }).finally(answered)
    if (response.ok) return bodyOf(response)
    await response.body?.cancel()
    throw refusal(response)
  }
  return {
    async send(request) {
      const path = request.path.split('?', 1)[0] as string
      const answered = await turns.take({ ...request, path }, signal)
      const response = await sent(provider, baseUrl, headers, request, signal).finally(answered)
      if (response.status === 429)
        await turns.pause(toRetryAfterMs(response.headers['retry-after'] ?? null) ?? UNTOLD_PAUSE_MS)
      return response
    },
    async file(address) {
      if (!isOwn(baseUrl, address)) return opened(provider, baseUrl, headers, address, signal)
      const path = new URL(address, baseUrl).pathname
      const answered = await turns.take({ method: 'GET', path }, signal)
      return opened(provider, baseUrl, headers, address, signal).finally(answered)
    },
    async get(path, query = {}) {
      const url = new URL(baseUrl + path)
      for (const [name, value] of Object.entries(query))
        if (value !== null) url.searchParams.set(name, String(value))
      for (let attempt = 1; ; attempt++) {
        const answered = await turns.take({ method: 'GET', path }, signal)
        try {
          return await ask(url, attempt, answered)
        } catch (error) {
          const pauseMs = pauseBefore(error, attempt)
          if (isLimited(error)) await turns.pause(error.retryAfterMs ?? pauseMs ?? UNTOLD_PAUSE_MS)
          if (pauseMs === null) throw error
          await wait(pauseMs, undefined, { signal })
        }
      }
    },
  }
}

const isLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'limited'

function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProviderError) || attempt >= ATTEMPTS) return null
  if (error.kind !== 'limited' && error.kind !== 'unavailable') return null
  const pauseMs = error.retryAfterMs ?? 250 * 2 ** attempt * (0.8 + 0.4 * Math.random())
  return pauseMs > LONGEST_WAIT_MS ? null : pauseMs
}

interface Fetch extends Pick<ApiOptions, 'headers' | 'signal'> {
  readonly provider: string
  readonly url: URL
  readonly attempt: number
}

async function fetched({ provider, url, headers, signal, attempt }: Fetch): Promise<Response> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    return await call(provider, url, { headers, redirect: 'error', signal: limit }, attempt)
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

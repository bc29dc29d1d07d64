import { setTimeout as wait } from 'node:timers/promises'
import { noTurns, type Turns } from './budgets/turns.ts'
import { answered, toRetryAfterMs } from './answered.ts'
import { isOwn, opened, sent } from './pass.ts'
import { type Signature, signed, signedAlways, type Signing } from './signing.ts'

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
  /** What says on whose behalf it asks. */
  readonly headers: Readonly<Record<string, string>> | Signing
  readonly signal: AbortSignal
  /** The account's turns in the provider's budgets; without them nothing is limited. */
  readonly turns?: Turns
}

const ATTEMPTS = 5
/** A wait that is longer than this is the job's to keep, not the request's. */
const LONGEST_WAIT_MS = 15_000

/** A provider that says too many requests and not for how long. */
const UNTOLD_PAUSE_MS = 1_000

/**
 * Asks when it is its turn, and again after what passes: limits, as told to wait, and outages, with doubling pauses.
 * Credentials that are refused are renewed once, where they can be.
 */
export function providerApi(options: ApiOptions): ProviderApi {
  const { provider = 'other', baseUrl, signal, turns = noTurns } = options
  const signing = isSigning(options.headers) ? options.headers : signedAlways(options.headers)
  const ask = async (url: URL, path: string, { headers, secrets }: Signature): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const done = await turns.take({ method: 'GET', path }, signal)
      try {
        const asking = { provider, url, request: { headers }, secrets, signal, attempt }
        return await answered(asking).finally(done)
      } catch (error) {
        const pauseMs = pauseBefore(error, attempt)
        if (isLimited(error)) await turns.pause(error.retryAfterMs ?? pauseMs ?? UNTOLD_PAUSE_MS)
        if (pauseMs === null) throw error
        await wait(pauseMs, undefined, { signal })
      }
    }
  }
  const send = async (request: PassedRequest, signature: Signature): Promise<PassedResponse> => {
    const path = request.path.split('?', 1)[0] as string
    const done = await turns.take({ ...request, path }, signal)
    return sent(provider, baseUrl, signature, request, signal).finally(done)
  }
  return {
    async send(request) {
      const signature = await signing.now()
      const first = await send(request, signature)
      const others = first.status === 401 ? await signing.instead(signature) : null
      const response = others ? await send(request, others) : first
      if (response.status === 429)
        await turns.pause(toRetryAfterMs(response.headers['retry-after'] ?? null) ?? UNTOLD_PAUSE_MS)
      return response
    },
    file: (address) =>
      signed(signing, async (signature) => {
        if (!isOwn(baseUrl, address)) return opened(provider, baseUrl, signature, address, signal)
        const path = new URL(address, baseUrl).pathname
        const done = await turns.take({ method: 'GET', path }, signal)
        return opened(provider, baseUrl, signature, address, signal).finally(done)
      }),
    get(path, query = {}) {
      const url = new URL(baseUrl + path)
      for (const [name, value] of Object.entries(query))
        if (value !== null) url.searchParams.set(name, String(value))
      return signed(signing, (signature) => ask(url, path, signature))
    },
  }
}

type Headers = Readonly<Record<string, string>>

const isSigning = (headers: Headers | Signing): headers is Signing => typeof headers['now'] === 'function'

const isLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'limited'

function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProviderError) || attempt >= ATTEMPTS) return null
  if (error.kind !== 'limited' && error.kind !== 'unavailable') return null
  const pauseMs = error.retryAfterMs ?? 250 * 2 ** attempt * (0.8 + 0.4 * Math.random())
  return pauseMs > LONGEST_WAIT_MS ? null : pauseMs
}

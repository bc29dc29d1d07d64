import { setTimeout as wait } from 'node:timers/promises'
import { noTurns, type Turns } from './budgets/turns.ts'
import { answered, type Dialect } from './answered.ts'
import { errorIn } from './passed-errors.ts'
import { isOwn, opened, sent } from './pass.ts'
import { askedOf, type Query, type Question, requestOf, signedText, urlOf } from './question.ts'
import { type Signature, signed, signedAlways, type Signing } from './signing.ts'

/**
 * Why a provider did not answer as hoped: `revoked` credentials, `limited` by its rate, a `scope_missing`,
 * `unavailable` for now, a `malformed` answer. What the engine does next depends on this alone.
 */
export type ProviderErrorKind = 'revoked' | 'limited' | 'scope_missing' | 'unavailable' | 'malformed'

/** What of a sign-in is wrong, where that is known: no such server is at its `address`, or its `code` is missing. */
export type LiesIn = 'address' | 'code'

export class ProviderError extends Error {
  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    {
      retryAfterMs,
      cause,
      timedOut = false,
      lies,
    }: {
      retryAfterMs?: number | undefined
      cause?: unknown
      timedOut?: boolean
      lies?: LiesIn | undefined
    } = {},
  ) {
    super(message, { cause })
    this.name = 'ProviderError'
    this.timedOut = timedOut
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (lies !== undefined) this.lies = lies
  }

  readonly retryAfterMs?: number
  /** It did not answer in time, as against not at all. */
  readonly timedOut: boolean
  readonly lies?: LiesIn
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
  get(path: string, query?: Query): Promise<unknown>
  /** Asks with a body of JSON. Whatever is asked so may be asked again. */
  post(path: string, body: unknown): Promise<unknown>
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
  readonly headers: Headers | Signing
  readonly signal: AbortSignal
  /** The account's turns in the provider's budgets; without them nothing is limited. */
  readonly turns?: Turns
  /** What reaches servers that fleets name. */
  readonly fetch?: typeof fetch
  /** How it words its errors, where their status does not tell. */
  readonly dialect?: Dialect
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
  const { provider = 'other', baseUrl, signal, turns = noTurns, dialect, fetch } = options
  const line = { provider, fetch }
  const signing = isSigning(options.headers) ? options.headers : signedAlways(options.headers)
  const placeOf = (signature: Signature): string => signature.baseUrl ?? baseUrl
  const ask = async (asked: Question, signature: Signature): Promise<unknown> => {
    const url = urlOf(placeOf(signature), asked, signature)
    const request = requestOf(asked, signature)
    for (let attempt = 1; ; attempt++) {
      const done = await turns.take(askedOf(asked), signal)
      try {
        const asking = { ...line, url, request, secrets: signature.secrets, signal, attempt, dialect }
        return await answered(asking).finally(done)
      } catch (error) {
        const pauseMs = pauseBefore(error, attempt)
        if (isLimited(error)) await turns.pause(error.retryAfterMs ?? pauseMs ?? UNTOLD_PAUSE_MS)
        if (pauseMs === null) throw error
        // Whose time is over meanwhile is told what the provider said.
        await wait(pauseMs, undefined, { signal }).catch(() => Promise.reject(error))
      }
    }
  }
  const send = async (request: PassedRequest, signature: Signature): Promise<PassedResponse> => {
    const path = request.path.split('?', 1)[0] as string
    const done = await turns.take({ ...request, path }, signal)
    const body = signedText(request.body, signature)
    return sent(line, placeOf(signature), signature, { ...request, body }, signal).finally(done)
  }
  return {
    async send(request) {
      const signature = await signing.now()
      const first = await send(request, signature)
      const other = errorIn(first, dialect)?.kind === 'revoked' ? await signing.instead(signature) : null
      const response = other ? await send(request, other) : first
      const error = errorIn(response, dialect)
      if (error?.kind === 'limited') await turns.pause(error.retryAfterMs ?? UNTOLD_PAUSE_MS)
      return response
    },
    file: (address) =>
      signed(signing, async (signature) => {
        const place = placeOf(signature)
        if (!isOwn(place, address)) return opened(line, place, signature, address, signal)
        const path = new URL(address, place).pathname
        const done = await turns.take({ method: 'GET', path }, signal)
        return opened(line, place, signature, address, signal).finally(done)
      }),
    get: (path, query = {}) => signed(signing, (signature) => ask({ path, query }, signature)),
    post: (path, body) => signed(signing, (signature) => ask({ path, query: {}, body }, signature)),
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

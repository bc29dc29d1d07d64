import { setTimeout as wait } from 'node:timers/promises'
import { unlimited, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import { requestJson, type ErrorMapping } from './http-response.ts'
import { detectError } from '../passthrough/errors.ts'
import { isProviderHost, openFile, sendPassthrough } from '../passthrough/proxy.ts'
import { requestPath, type RequestSpec, requestOf, signedText, urlOf } from './request-builder.ts'
import type { PassedRequest, PassedResponse, ProviderApi } from '../provider-api.ts'
import { type RequestSigner, withSignature, fixedSigner, type AccountSigner } from './request-signing.ts'
import { ProviderError } from '../provider-error.ts'

interface ApiOptions {
  /** Its code, by which its requests are counted. */
  readonly provider?: string
  readonly baseUrl: string
  /** What says on whose behalf it asks. */
  readonly headers: Headers | AccountSigner
  readonly signal: AbortSignal
  /** The account's turns in the provider's budgets; without them nothing is limited. */
  readonly limiter?: RateLimiter
  /** What reaches servers that fleets name. */
  readonly fetch?: typeof fetch
  /** How it words its errors, where their status does not tell. */
  readonly errorMapping?: ErrorMapping
}

const ATTEMPTS = 5
/** A wait that is longer than this is the job's to keep, not the request's. */
const MAX_WAIT_MS = 15_000

/** A provider that says too many requests and not for how long. */
const DEFAULT_PAUSE_MS = 1_000

/**
 * Asks when it is its turn, and again after what passes: limits, as told to wait, and outages, with doubling pauses.
 * Credentials that are refused are renewed once, where they can be.
 */
export function createProviderApi(options: ApiOptions): ProviderApi {
  const { provider = 'other', baseUrl, signal, limiter = unlimited, errorMapping, fetch } = options
  const line = { provider, fetch }
  const signing = isSigning(options.headers) ? options.headers : fixedSigner(options.headers)
  const placeOf = (signature: RequestSigner): string => signature.baseUrl ?? baseUrl
  const ask = async (asked: RequestSpec, signature: RequestSigner): Promise<unknown> => {
    const url = urlOf(placeOf(signature), asked, signature)
    const request = requestOf(asked, signature)
    for (let attempt = 1; ; attempt++) {
      const done = await limiter.take(requestPath(asked), signal)
      try {
        const asking = { ...line, url, request, secrets: signature.secrets, signal, attempt, errorMapping }
        return await requestJson(asking).finally(done)
      } catch (error) {
        const pauseMs = pauseBefore(error, attempt)
        if (isLimited(error)) await limiter.pause(error.retryAfterMs ?? pauseMs ?? DEFAULT_PAUSE_MS)
        if (pauseMs === null) throw error
        // Whose time is over meanwhile is told what the provider said.
        await wait(pauseMs, undefined, { signal }).catch(() => Promise.reject(error))
      }
    }
  }
  const send = async (request: PassedRequest, signature: RequestSigner): Promise<PassedResponse> => {
    const path = request.path.split('?', 1)[0] as string
    const done = await limiter.take({ ...request, path }, signal)
    const body = signedText(request.body, signature)
    return sendPassthrough(line, placeOf(signature), signature, { ...request, body }, signal).finally(done)
  }
  return {
    async send(request) {
      const signature = await signing.now()
      const first = await send(request, signature)
      const other =
        detectError(first, errorMapping)?.kind === 'revoked' ? await signing.instead(signature) : null
      const response = other ? await send(request, other) : first
      const error = detectError(response, errorMapping)
      if (error?.kind === 'limited') await limiter.pause(error.retryAfterMs ?? DEFAULT_PAUSE_MS)
      return response
    },
    file: (address) =>
      withSignature(signing, async (signature) => {
        const place = placeOf(signature)
        if (!isProviderHost(place, address)) return openFile(line, place, signature, address, signal)
        const path = new URL(address, place).pathname
        const done = await limiter.take({ method: 'GET', path }, signal)
        return openFile(line, place, signature, address, signal).finally(done)
      }),
    get: (path, query = {}) => withSignature(signing, (signature) => ask({ path, query }, signature)),
    post: (path, body) => withSignature(signing, (signature) => ask({ path, query: {}, body }, signature)),
  }
}

type Headers = Readonly<Record<string, string>>

const isSigning = (headers: Headers | AccountSigner): headers is AccountSigner =>
  typeof headers['now'] === 'function'

const isLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'limited'

function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProviderError) || attempt >= ATTEMPTS) return null
  if (error.kind !== 'limited' && error.kind !== 'unavailable') return null
  const pauseMs = error.retryAfterMs ?? 250 * 2 ** attempt * (0.8 + 0.4 * Math.random())
  return pauseMs > MAX_WAIT_MS ? null : pauseMs
}

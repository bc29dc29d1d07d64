import { setTimeout as wait } from 'node:timers/promises'
import { unlimited, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import { requestJson, type ErrorMapping } from './http-response.ts'
import { detectError } from '../passthrough/errors.ts'
import { isProviderHost, openFile, sendPassthrough } from '../passthrough/proxy.ts'
import { requestPath, type RequestSpec, fetchOptionsOf, signedText, urlOf } from './request-builder.ts'
import type { PassthroughRequest, ProviderResponse, ProviderApi } from '../provider-api.ts'
import { type RequestSigner, withSignature, fixedSigner, type AccountSigner } from './request-signing.ts'
import { ProviderError } from '../provider-error.ts'

interface ApiOptions {
  /** Code of the provider, the label of its requests in metrics. */
  readonly provider?: string
  readonly baseUrl: string
  /** Authentication of the account: fixed headers or a signer. */
  readonly headers: Headers | AccountSigner
  readonly signal: AbortSignal
  /** Rate limiter of the account. Without it, nothing is limited. */
  readonly limiter?: RateLimiter
  /** Replacement of the global `fetch`, for servers whose address a fleet enters. */
  readonly fetch?: typeof fetch
  /** Interpretation of errors that the HTTP status does not identify. */
  readonly errorMapping?: ErrorMapping
}

const ATTEMPTS = 5
/** A longer pause is left to the retry of the job. */
const MAX_WAIT_MS = 15_000

/** Pause after a rate limit error without `Retry-After`. */
const DEFAULT_PAUSE_MS = 1_000

/**
 * Creates a client of a provider's API for one account. Each request waits for a permit of the rate limiter.
 * It is retried after a rate limit error or an outage: after `Retry-After`, or with exponential backoff. If
 * the provider refuses the credentials, they are renewed once where possible.
 */
export function createProviderApi(options: ApiOptions): ProviderApi {
  const { provider = 'other', baseUrl, signal, limiter = unlimited, errorMapping, fetch } = options
  const endpoint = { provider, fetch }
  const signing = isSigning(options.headers) ? options.headers : fixedSigner(options.headers)
  const baseUrlOf = (signature: RequestSigner): string => signature.baseUrl ?? baseUrl
  const requestWithRetries = async (spec: RequestSpec, signature: RequestSigner): Promise<unknown> => {
    const url = urlOf(baseUrlOf(signature), spec, signature)
    const request = fetchOptionsOf(spec, signature)
    for (let attempt = 1; ; attempt++) {
      const done = await limiter.take(requestPath(spec), signal)
      try {
        const attempted = {
          ...endpoint,
          url,
          request,
          secrets: signature.secrets,
          signal,
          attempt,
          errorMapping,
        }
        return await requestJson(attempted).finally(done)
      } catch (error) {
        const pauseMs = pauseBefore(error, attempt)
        if (isLimited(error)) await limiter.pause(error.retryAfterMs ?? pauseMs ?? DEFAULT_PAUSE_MS)
        if (pauseMs === null) throw error
        // An abort during the pause reports the provider's error.
        await wait(pauseMs, undefined, { signal }).catch(() => Promise.reject(error))
      }
    }
  }
  const send = async (request: PassthroughRequest, signature: RequestSigner): Promise<ProviderResponse> => {
    const path = request.path.split('?', 1)[0] as string
    const done = await limiter.take({ ...request, path }, signal)
    const body = signedText(request.body, signature)
    return sendPassthrough(endpoint, baseUrlOf(signature), signature, { ...request, body }, signal).finally(
      done,
    )
  }
  return {
    async send(request) {
      const signature = await signing.current()
      const first = await send(request, signature)
      const replacement =
        detectError(first, errorMapping)?.kind === 'revoked' ? await signing.replacementFor(signature) : null
      const response = replacement ? await send(request, replacement) : first
      const error = detectError(response, errorMapping)
      if (error?.kind === 'limited') await limiter.pause(error.retryAfterMs ?? DEFAULT_PAUSE_MS)
      return response
    },
    file: (address) =>
      withSignature(signing, async (signature) => {
        const accountUrl = baseUrlOf(signature)
        if (!isProviderHost(accountUrl, address))
          return openFile(endpoint, accountUrl, signature, address, signal)
        const path = new URL(address, accountUrl).pathname
        const done = await limiter.take({ method: 'GET', path }, signal)
        return openFile(endpoint, accountUrl, signature, address, signal).finally(done)
      }),
    get: (path, query = {}) =>
      withSignature(signing, (signature) => requestWithRetries({ path, query }, signature)),
    post: (path, body) =>
      withSignature(signing, (signature) => requestWithRetries({ path, query: {}, body }, signature)),
  }
}

type Headers = Readonly<Record<string, string>>

const isSigning = (headers: Headers | AccountSigner): headers is AccountSigner =>
  typeof headers['current'] === 'function'

const isLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'limited'

function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProviderError) || attempt >= ATTEMPTS) return null
  if (error.kind !== 'limited' && error.kind !== 'unavailable') return null
  const pauseMs = error.retryAfterMs ?? 250 * 2 ** attempt * (0.8 + 0.4 * Math.random())
  return pauseMs > MAX_WAIT_MS ? null : pauseMs
}

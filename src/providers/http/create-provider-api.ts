import { setTimeout as wait } from 'node:timers/promises'
import { unlimited, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import { MAX_READ_BYTES } from './bounded-body.ts'
import { requestJson, type ErrorMapping } from './http-response.ts'
import { detectError } from '../passthrough/errors.ts'
import { isProviderHost, openFile, sendPassthrough } from '../passthrough/proxy.ts'
import { limitedRequestOf, type RequestSpec, fetchOptionsOf, signedText, urlOf } from './request-builder.ts'
import type { PassthroughRequest, ProviderResponse, ProviderApi } from '../provider-api.ts'
import { type ValidSignature, withSignature, fixedSigner, type AccountSigner } from './request-signing.ts'
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
  /** Replacement of `unguardedFetch`, for servers whose address a fleet enters. */
  readonly fetch?: typeof fetch
  /** Interprets errors that the HTTP status does not identify. */
  readonly errorMapping?: ErrorMapping
}

const ATTEMPTS = 5
/** Maximum pause before a retry. If the provider asks for a longer one, the request fails: its job runs again later. */
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
  const signer = isSigner(options.headers) ? options.headers : fixedSigner(options.headers)
  const baseUrlOf = (signature: ValidSignature): string => signature.baseUrl ?? baseUrl
  const requestWithRetries = async (
    spec: RequestSpec,
    signature: ValidSignature,
    maxBytes: number,
  ): Promise<unknown> => {
    const url = urlOf(baseUrlOf(signature), spec, signature)
    const request = fetchOptionsOf(spec, signature)
    for (let attempt = 1; ; attempt++) {
      const done = await limiter.take(limitedRequestOf(spec), signal)
      try {
        const call = {
          ...endpoint,
          url,
          request,
          secrets: signature.secrets,
          signal,
          attempt,
          errorMapping,
          maxBytes,
        }
        return await requestJson(call).finally(done)
      } catch (error) {
        const pauseMs = pauseBeforeRetry(error, attempt)
        if (isLimited(error)) await limiter.pause(error.retryAfterMs ?? pauseMs ?? DEFAULT_PAUSE_MS)
        if (pauseMs === null) throw error
        // If the request is aborted during the pause, it fails with the provider's error.
        await wait(pauseMs, undefined, { signal }).catch(() => Promise.reject(error))
      }
    }
  }
  const send = async (request: PassthroughRequest, signature: ValidSignature): Promise<ProviderResponse> => {
    const path = request.path.split('?', 1)[0] as string
    const done = await limiter.take({ ...request, path }, signal)
    const body = signedText(request.body, signature)
    return sendPassthrough(endpoint, baseUrlOf(signature), signature, { ...request, body }, signal).finally(
      done,
    )
  }
  const clientWith = (maxBytes: number): ProviderApi => ({
    async send(request) {
      const signature = await signer.current()
      const first = await send(request, signature)
      const replacement =
        detectError(first, errorMapping)?.kind === 'invalid_credentials'
          ? await signer.replacementFor(signature)
          : null
      const response = replacement ? await send(request, replacement) : first
      const error = detectError(response, errorMapping)
      if (error?.kind === 'limited') await limiter.pause(error.retryAfterMs ?? DEFAULT_PAUSE_MS)
      return response
    },
    file: (address) =>
      withSignature(signer, async (signature) => {
        const accountUrl = baseUrlOf(signature)
        if (!isProviderHost(accountUrl, address))
          return openFile(endpoint, accountUrl, signature, address, signal)
        const path = new URL(address, accountUrl).pathname
        const done = await limiter.take({ method: 'GET', path }, signal)
        return openFile(endpoint, accountUrl, signature, address, signal).finally(done)
      }),
    get: (path, query = {}) =>
      withSignature(signer, (signature) => requestWithRetries({ path, query }, signature, maxBytes)),
    post: (path, body) =>
      withSignature(signer, (signature) =>
        requestWithRetries({ path, query: {}, body }, signature, maxBytes),
      ),
    withSizeLimit: clientWith,
  })
  return clientWith(MAX_READ_BYTES)
}

type Headers = Readonly<Record<string, string>>

const isSigner = (headers: Headers | AccountSigner): headers is AccountSigner =>
  typeof headers['current'] === 'function'

const isLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'limited'

/** Returns the pause before the next attempt; null if the request is not retried. */
function pauseBeforeRetry(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProviderError) || attempt >= ATTEMPTS) return null
  if (error.kind !== 'limited' && error.kind !== 'unavailable') return null
  const pauseMs = error.retryAfterMs ?? 250 * 2 ** attempt * (0.8 + 0.4 * Math.random())
  return pauseMs > MAX_WAIT_MS ? null : pauseMs
}

import { createHash } from 'node:crypto'

/**
 * Rate limit of a provider, as its adapter declares it: a maximum number of requests in any window of a given length.
 */
export interface RateLimit {
  /** Whether the limit counts the requests of one account, or all requests of this service to the provider. */
  readonly per: 'account' | 'provider'
  readonly requests: number
  /** Length of the window. 0 limits the number of concurrent requests instead. */
  readonly perSeconds: number
  /**
   * Endpoints whose requests count: `GET /vehicles`, `/hos/*` or a name that the adapter's `endpointOf` returns.
   * By default the requests of all endpoints count.
   */
  readonly endpoints?: readonly string[]
  /** Endpoints whose requests do not count. */
  readonly except?: readonly string[]
  /** Whether each endpoint has its own counter. */
  readonly each?: boolean
}

/** Properties of a request by which rate limits distinguish requests. */
export interface LimitedRequest {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly body?: string | null
}

/**
 * `live`: a caller waits for the request. `background`: sync and polling, which leave a share of each limit
 * to `live`.
 */
export type Priority = 'live' | 'background'

/** Counter of a rate limit that applies to a request. */
export interface LimitCounter {
  readonly key: string
  readonly requests: number
  /** Maximum number of background requests among them. */
  readonly background: number
  readonly windowMs: number
}

/** Share of each limit that background requests leave to `live` requests. */
const RESERVED = 0.2

export const backgroundShareOf = (requests: number): number =>
  Math.max(1, Math.floor(requests * (1 - RESERVED)))

/** Converts to milliseconds, with a margin because clocks of two machines run at slightly different speeds. */
const toWindowMs = (seconds: number): number => (seconds === 0 ? 0 : Math.ceil(seconds * 1001) + 5)

/** Returns the counters of a request, narrowest first. A request waits for their permits in this order. */
export function countersOf(
  rateLimits: readonly RateLimit[],
  account: string,
  endpoint: string,
): LimitCounter[] {
  return rateLimits
    .filter((limit) => appliesTo(limit, endpoint))
    .sort((one, other) => widthOf(one) - widthOf(other))
    .map((limit) => ({
      key: keyOf(limit, account, endpoint),
      requests: limit.requests,
      background: backgroundShareOf(limit.requests),
      windowMs: toWindowMs(limit.perSeconds),
    }))
}

const appliesTo = ({ endpoints, except }: RateLimit, endpoint: string): boolean =>
  (endpoints?.some((pattern) => matches(pattern, endpoint)) ?? true) &&
  !except?.some((pattern) => matches(pattern, endpoint))

/**
 * Whether an endpoint matches a pattern. A pattern without a method matches all methods; a trailing asterisk
 * matches any suffix.
 */
function matches(pattern: string, endpoint: string): boolean {
  const compared = pattern.startsWith('/') ? endpoint.slice(endpoint.indexOf(' ') + 1) : endpoint
  return pattern.endsWith('*') ? compared.startsWith(pattern.slice(0, -1)) : compared === pattern
}

const widthOf = ({ per, endpoints, each }: RateLimit): number =>
  (per === 'provider' ? 2 : 0) + (endpoints || each ? 0 : 1)

/**
 * Key of a counter. It omits the number of requests: while the limit changes, processes with the old and the new
 * number share the counter.
 */
function keyOf({ per, perSeconds, endpoints, except, each }: RateLimit, account: string, endpoint: string) {
  const which = each ? endpoint : endpoints || except ? JSON.stringify([endpoints, except]) : 'all'
  return `${per === 'account' ? account : 'provider'}:${digestOf(which)}:${perSeconds}`
}

/** Digest of a text that must not appear in a key: credentials, and paths that callers choose. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

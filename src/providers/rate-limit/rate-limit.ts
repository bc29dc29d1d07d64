import { createHash } from 'node:crypto'

/** What a provider permits, as its adapter declares it: so many requests in any stretch of time of this length. */
export interface RateLimit {
  /** Whose requests it counts: those for one account, or all that this service sends to the provider. */
  readonly per: 'account' | 'provider'
  readonly requests: number
  /** 0: so many at a time, however long they take. */
  readonly perSeconds: number
  /** Which endpoints it counts, `GET /vehicles`, `/hos/*` or a name of the adapter's; without it all of them. */
  readonly endpoints?: readonly string[]
  /** Which of those it does not count. */
  readonly except?: readonly string[]
  /** Each endpoint is counted by itself. */
  readonly each?: boolean
}

/** A request, as far as budgets tell requests apart. */
export interface LimitedRequest {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly body?: string | null
}

/** `live` is in a caller's request; `background`, syncs and polling, leaves a share of each budget to it. */
export type Priority = 'live' | 'background'

/** One count that a request is in. */
export interface LimitCounter {
  readonly key: string
  readonly requests: number
  /** How many of them may be in the background. */
  readonly background: number
  readonly windowMs: number
}

const RESERVED = 0.2

export const backgroundShareOf = (requests: number): number =>
  Math.max(1, Math.floor(requests * (1 - RESERVED)))

/** Two machines' clocks run at slightly different speeds. */
const toWindowMs = (seconds: number): number => (seconds === 0 ? 0 : Math.ceil(seconds * 1001) + 5)

/** The counts that a request is in, the narrowest first: that is the order in which they are waited for. */
export function countersOf(
  rateLimits: readonly RateLimit[],
  account: string,
  endpoint: string,
): LimitCounter[] {
  return rateLimits
    .filter((budget) => counts(budget, endpoint))
    .sort((one, other) => widthOf(one) - widthOf(other))
    .map((budget) => ({
      key: keyOf(budget, account, endpoint),
      requests: budget.requests,
      background: backgroundShareOf(budget.requests),
      windowMs: toWindowMs(budget.perSeconds),
    }))
}

const counts = ({ endpoints, except }: RateLimit, endpoint: string): boolean =>
  (endpoints?.some((pattern) => isLike(pattern, endpoint)) ?? true) &&
  !except?.some((pattern) => isLike(pattern, endpoint))

/** A pattern without a method is for all methods; an asterisk at its end is for whatever follows. */
function isLike(pattern: string, endpoint: string): boolean {
  const compared = pattern.startsWith('/') ? endpoint.slice(endpoint.indexOf(' ') + 1) : endpoint
  return pattern.endsWith('*') ? compared.startsWith(pattern.slice(0, -1)) : compared === pattern
}

const widthOf = ({ per, endpoints, each }: RateLimit): number =>
  (per === 'provider' ? 2 : 0) + (endpoints || each ? 0 : 1)

/** Without the number of requests: where it is changed, processes that know the old one count together with the new. */
function keyOf({ per, perSeconds, endpoints, except, each }: RateLimit, account: string, endpoint: string) {
  const which = each ? endpoint : endpoints || except ? JSON.stringify([endpoints, except]) : 'all'
  return `${per === 'account' ? account : 'provider'}:${digestOf(which)}:${perSeconds}`
}

/** Of what must not stand in a key as it is: credentials, and paths that callers choose. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

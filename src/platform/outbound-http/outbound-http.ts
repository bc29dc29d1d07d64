import { createSsrfGuard, type OutboundRules } from './ssrf-guard.ts'
import { OutboundRequest, type OutboundResult } from './request.ts'
import { OriginPools } from './origin-pools.ts'
import { createNameResolver } from './name-resolver.ts'

/** A request to somebody else's server. */
export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** For the whole exchange; 15 s where it is not said. */
  readonly timeoutMs?: number
}

/** The one way in which this service talks to servers that somebody else names. */
export interface OutboundHttp {
  /** Throws the signal's reason where that is aborted first, and nothing else. */
  post(post: OutboundPost, signal?: AbortSignal): Promise<OutboundResult>
  close(): Promise<void>
}

export interface OutboundHttpOptions {
  /** What a name stands for; without it the system is asked. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** A certificate to trust beside the well-known ones. */
  readonly ca?: string
  /** How long connections to an origin are used; a minute where it is not said. */
  readonly lifetimeMs?: number
}

const TIMEOUT_MS = 15_000

/** Requests that go where the rules permit, never follow a redirect, and always end in time. */
export function createOutboundHttp(
  rules: OutboundRules,
  { resolve = createNameResolver(), ca, lifetimeMs }: OutboundHttpOptions = {},
): OutboundHttp {
  const guard = createSsrfGuard(rules)
  const pools = new OriginPools({ guard, resolve, ca }, lifetimeMs)
  return {
    async post({ url, headers, body, timeoutMs = TIMEOUT_MS }, signal) {
      signal?.throwIfAborted()
      const refused = guard.url(url)
      if (refused) return { outcome: 'blocked', error: refused, durationMs: 0 }
      const { origin, pathname, search } = new URL(url)
      const request = { path: pathname + search, method: 'POST', headers, body } as const
      const exchange = new OutboundRequest(request, timeoutMs, signal)
      pools.to(origin).add(exchange)
      return exchange.answer
    },
    close: () => pools.close(),
  }
}

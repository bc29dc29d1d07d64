import { createSsrfGuard, type OutboundRules } from './ssrf-guard.ts'
import { OutboundRequest, type OutboundResult } from './request.ts'
import { OriginPools } from './origin-pools.ts'
import { createNameResolver } from './name-resolver.ts'

/** POST request to a server whose URL others choose. */
export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Limit for the whole exchange; the default is 15 s. */
  readonly timeoutMs?: number
}

/** HTTP client for servers whose URLs others choose. */
export interface OutboundHttp {
  /** Throws only the reason of the signal, if it aborts first. */
  post(post: OutboundPost, signal?: AbortSignal): Promise<OutboundResult>
  close(): Promise<void>
}

export interface OutboundHttpOptions {
  /** Resolves host names; defaults to the name servers of the system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Certificate that is trusted in addition to the well-known ones. */
  readonly ca?: string
  /** Lifetime of connections to an origin; the default is one minute. */
  readonly lifetimeMs?: number
}

const TIMEOUT_MS = 15_000

/**
 * Creates a client that reaches only permitted addresses, never follows a redirect, and always ends in time.
 */
export function createOutboundHttp(
  rules: OutboundRules,
  { resolve = createNameResolver(), ca, lifetimeMs }: OutboundHttpOptions = {},
): OutboundHttp {
  const guard = createSsrfGuard(rules)
  const pools = new OriginPools({ guard, resolve, ca }, lifetimeMs)
  return {
    async post({ url, headers, body, timeoutMs = TIMEOUT_MS }, signal) {
      signal?.throwIfAborted()
      const refusal = guard.url(url)
      if (refusal) return { outcome: 'blocked', error: refusal, durationMs: 0 }
      const { origin, pathname, search } = new URL(url)
      const request = { path: pathname + search, method: 'POST', headers, body } as const
      const exchange = new OutboundRequest(request, timeoutMs, signal)
      pools.poolFor(origin).add(exchange)
      return exchange.answer
    },
    close: () => pools.close(),
  }
}

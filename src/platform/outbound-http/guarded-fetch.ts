import { Agent, fetch } from 'undici'
import { createSsrfGuard, type OutboundRules } from './ssrf-guard.ts'
import { guardedConnector } from './guarded-connector.ts'
import { BlockedAddress } from './errors.ts'
import { createNameResolver } from './name-resolver.ts'
import type { OutboundHttpOptions } from './outbound-http.ts'

/** How long a connection is used until it is connected to, and judged, anew. */
const LIFETIME_MS = 60_000

/** The platform's `fetch`, for servers that somebody else names: it goes where the rules permit and nowhere else. */
export function createGuardedFetch(
  rules: OutboundRules,
  { resolve = createNameResolver(), ca }: Pick<OutboundHttpOptions, 'resolve' | 'ca'> = {},
): { readonly fetch: typeof globalThis.fetch; close(): Promise<void> } {
  const guard = createSsrfGuard(rules)
  const agent = new Agent({
    connect: guardedConnector({ guard, resolve, ca }),
    keepAliveMaxTimeout: LIFETIME_MS,
    // Whoever asks has a limit for the exchange as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const guarded = async (input: string | URL, options?: Parameters<typeof fetch>[1]) => {
    const refused = guard.url(String(input))
    if (refused) throw new BlockedAddress(refused)
    return fetch(input, { ...options, dispatcher: agent })
  }
  // The two differ in their types alone.
  return { fetch: guarded as unknown as typeof globalThis.fetch, close: () => agent.destroy() }
}

import { Agent, fetch } from 'undici'
import { createSsrfGuard, type OutboundRules } from './ssrf-guard.ts'
import { guardedConnector } from './guarded-connector.ts'
import { BlockedAddress } from './errors.ts'
import { createNameResolver } from './name-resolver.ts'
import type { OutboundHttpOptions } from './outbound-http.ts'

/** Lifetime of a connection; a new connection checks the address again. */
const LIFETIME_MS = 60_000

/**
 * Creates a `fetch` for servers whose URLs others choose. It reaches only addresses that the rules permit.
 */
export function createGuardedFetch(
  rules: OutboundRules,
  { resolve = createNameResolver(), ca }: Pick<OutboundHttpOptions, 'resolve' | 'ca'> = {},
): { readonly fetch: typeof globalThis.fetch; close(): Promise<void> } {
  const guard = createSsrfGuard(rules)
  const agent = new Agent({
    connect: guardedConnector({ guard, resolve, ca }),
    keepAliveMaxTimeout: LIFETIME_MS,
    // The caller limits the duration of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const guardedFetch = async (input: string | URL, options?: Parameters<typeof fetch>[1]) => {
    const refusal = guard.url(String(input))
    if (refusal) throw new BlockedAddress(refusal)
    return fetch(input, { ...options, dispatcher: agent })
  }
  // Only the types of the two functions differ.
  return { fetch: guardedFetch as unknown as typeof globalThis.fetch, close: () => agent.destroy() }
}

import { Agent, fetch } from 'undici'
import { type Guard, guardOf, type OutgoingRules } from './check-url.ts'
import { guardedConnector, type Resolve } from './connector.ts'
import { Blocked } from './failures.ts'
import { nameResolver } from './resolve.ts'

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

/** `fetch` for servers that somebody else names: what it connects to is judged by the rules at each connection. */
export function guardedFetch(rules: OutgoingRules, resolve: Resolve = nameResolver()): GuardedFetch {
  const guard = guardOf(rules)
  const dispatcher = new Agent({ connect: guardedConnector({ guard, resolve }) })
  const asked = async (input: string | URL, options: object = {}) => {
    refuse(guard, input)
    return fetch(input, { ...options, dispatcher })
  }
  // The types of the platform and of its own implementation are two.
  return { fetch: asked as unknown as typeof globalThis.fetch, close: () => dispatcher.close() }
}

function refuse(guard: Guard, input: string | URL): void {
  const refused = guard.url(String(input))
  if (refused) throw new Blocked(refused)
}

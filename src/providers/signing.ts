import { ProviderError } from './api.ts'
import type { ProviderCredentials, Renewal, Renewing } from './provider.ts'

type Headers = Readonly<Record<string, string>>

/** The headers that say on whose behalf a provider is asked. They may change from request to request. */
export interface Signing {
  headers(): Promise<Headers>
  /** Others, after the provider refused these; null where there are none. */
  instead(refused: Headers): Promise<Headers | null>
}

export const signedAlways = (headers: Headers): Signing => ({
  headers: async () => headers,
  instead: async () => null,
})

/** Signs with the credentials of an account as they are at each request. */
export function signedWith(
  credentials: ProviderCredentials,
  renewing: Renewing,
  toHeaders: (credentials: ProviderCredentials) => Headers,
): Signing {
  const from = new WeakMap<Headers, ProviderCredentials>()
  let now = credentials
  const headersOf = (fresh: ProviderCredentials): Headers => {
    const headers = toHeaders((now = fresh))
    from.set(headers, fresh)
    return headers
  }
  return {
    headers: async () => headersOf(await renewing.fresh(now)),
    async instead(refused) {
      const other = await renewing.instead(from.get(refused) ?? now)
      return other && headersOf(other)
    },
  }
}

/**
 * Renews for an account that nothing is stored of. What a fleet typed in is exchanged, once; nothing else is renewed,
 * since that would spend what the caller has.
 */
export function unstored(renewal: Renewal, signal: AbortSignal): Renewing {
  let opened: Promise<ProviderCredentials> | undefined
  return {
    fresh: (credentials) =>
      renewal.endOf(credentials) === 0
        ? (opened ??= renewal.renew(credentials, signal))
        : Promise.resolve(credentials),
    instead: async () => null,
  }
}

/** Asks with what signs now, and where the provider refuses it once more with what takes its place. */
export async function signed<T>(signing: Signing, ask: (headers: Headers) => Promise<T>): Promise<T> {
  const headers = await signing.headers()
  try {
    return await ask(headers)
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === 'revoked'
    const others = isRefused ? await signing.instead(headers) : null
    if (others === null) throw error
    return ask(others)
  }
}

import { PublicError } from '../../../errors.ts'
import { ProviderError } from '../../../providers/api.ts'
import type { Account, ProviderAdapter, ProviderCredentials, Renewing } from '../../../providers/provider.ts'
import { asked } from '../../live.ts'

const TIMEOUT_MS = 20_000

/**
 * Asks the provider whose account the credentials open; refuses credentials that open none. Those that are stored come
 * with what renews them.
 */
export async function identifyAccount(
  provider: ProviderAdapter,
  credentials: ProviderCredentials,
  renewing?: Renewing,
): Promise<Account> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    return await provider.identify(provider.api(credentials, signal, 'live', renewing), credentials)
  } catch (cause) {
    if (cause instanceof ProviderError && cause.kind === 'revoked')
      throw new PublicError('invalid_credentials', 'The provider refused the credentials.', { cause })
    return asked(Promise.reject(cause))
  }
}

import { PublicError } from '../../../domain/errors.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type {
  Account,
  ProviderAdapter,
  ProviderCredentials,
  RenewableCredentials,
} from '../../../providers/provider.ts'
import { toPublicError } from '../../on-demand/provider-calls.ts'

const TIMEOUT_MS = 20_000

/**
 * Asks the provider whose account the credentials open; refuses credentials that open none. Those that are stored come
 * with what renews them.
 */
export const identifyAccount = (
  provider: ProviderAdapter,
  credentials: ProviderCredentials,
  renewing?: RenewableCredentials,
): Promise<Account> =>
  signingIn((signal) => provider.identify(provider.api(credentials, signal, 'live', renewing), credentials))

/**
 * Signs in with what a fleet has typed in: whose account it opens, and what of it is kept. A password that is exchanged
 * is gone before anything is stored.
 */
export async function signInAndIdentify(
  provider: ProviderAdapter,
  typed: ProviderCredentials,
): Promise<{ readonly account: Account; readonly credentials: ProviderCredentials }> {
  const { renewal } = provider
  const credentials =
    renewal?.endOf(typed) === 0 ? await signingIn((signal) => renewal.renew(typed, signal)) : typed
  return { account: await identifyAccount(provider, credentials), credentials }
}

async function signingIn<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await ask(AbortSignal.timeout(TIMEOUT_MS))
  } catch (cause) {
    if (cause instanceof ProviderError && cause.kind === 'revoked')
      throw new PublicError('invalid_credentials', 'The provider refused the credentials.', { cause })
    return toPublicError(Promise.reject(cause))
  }
}

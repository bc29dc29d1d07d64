import { PublicError } from '../../../domain/errors.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type {
  FleetAccount,
  ProviderAdapter,
  ProviderCredentials,
  RenewableCredentials,
} from '../../../providers/provider.ts'
import { MAX_SIGN_IN_BYTES } from '../../../providers/http/bounded-body.ts'
import { withPublicErrors } from '../../on-demand/provider-calls.ts'
import { deadlineSignal } from '../../../platform/lifecycle/deadline.ts'

const TIMEOUT_MS = 20_000

/**
 * Identifies the account of the credentials at the provider. Throws `invalid_credentials` if the provider refuses them,
 * or if no server of the provider is at the address that the fleet entered.
 * `renewing` is required for stored credentials, which may have expired.
 */
export const identifyAccount = (
  provider: ProviderAdapter,
  credentials: ProviderCredentials,
  renewing?: RenewableCredentials,
): Promise<FleetAccount> =>
  withSignInErrors((signal) =>
    provider.identify(
      provider.api(credentials, signal, 'live', renewing).withSizeLimit(MAX_SIGN_IN_BYTES),
      credentials,
    ),
  )

/**
 * Signs in with submitted credentials. Returns the account and the credentials to store. A password that the
 * provider exchanges for a token is never stored.
 */
export async function signInAndIdentify(
  provider: ProviderAdapter,
  submitted: ProviderCredentials,
): Promise<{ readonly account: FleetAccount; readonly credentials: ProviderCredentials }> {
  const { renewal } = provider
  // An expiry of 0 means that the credentials must be exchanged before their first use.
  const credentials =
    renewal?.expiryOf(submitted) === 0
      ? await withSignInErrors((signal) => renewal.renew(submitted, signal))
      : submitted
  return { account: await identifyAccount(provider, credentials), credentials }
}

async function withSignInErrors<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await call(deadlineSignal(TIMEOUT_MS))
  } catch (cause) {
    if (cause instanceof ProviderError && cause.signInFault === 'address')
      throw new PublicError('invalid_credentials', `The server address is wrong: ${cause.message}.`, {
        cause,
      })
    if (cause instanceof ProviderError && cause.kind === 'invalid_credentials')
      throw new PublicError('invalid_credentials', 'The provider refused the credentials.', { cause })
    return withPublicErrors(Promise.reject(cause))
  }
}

import type { ProviderApi } from '../../../providers/provider-api.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { Priority } from '../../../providers/rate-limit/rate-limit.ts'
import type { ProviderCredentials, RenewableCredentials } from '../../../providers/provider.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import { renewSingleFlight } from './single-flight-renewal.ts'
import { type Account, areSame, type StoredCredentials, storedCredentials } from './stored-credentials.ts'

/** What ends sooner is renewed before it is used. */
const SOON_MS = 60_000

/** Hears with what an account is asked, and how that was stored: at first, and after each renewal. */
export type OnSignIn = (used: StoredCredentials) => void

/** The API of a connection's provider with its credentials, which are renewed as long as it is used. */
export async function openAccount(
  deps: RenewalDeps,
  account: Account,
  signal: AbortSignal,
  priority: Priority = 'background',
  onSignIn?: OnSignIn,
): Promise<ProviderApi> {
  const adapter = deps.registry.find(account.provider)
  const used = await usableCredentials(deps, account)
  if (!adapter) throw new Error(`there is no provider ${account.provider}`)
  onSignIn?.(used)
  return adapter.api(
    used.credentials,
    signal,
    priority,
    renewableCredentials(deps, account, signal, onSignIn),
  )
}

type StoredCredentialsRef = Pick<RenewalDeps, 'db' | 'secrets'>
type AccountOwner = Pick<Account, 'id' | 'applicationId'>

/** What opens a connection's account at its provider. */
export const credentialsOf = async (
  from: StoredCredentialsRef,
  account: AccountOwner,
): Promise<ProviderCredentials> => (await usableCredentials(from, account)).credentials

async function usableCredentials(
  { db, secrets }: StoredCredentialsRef,
  account: AccountOwner,
): Promise<StoredCredentials> {
  const { credentials = null, sealed = '' } = (await storedCredentials(db, secrets, account)) ?? {}
  if (!credentials) throw new Error(`connection ${account.id} is gone`)
  return { credentials, sealed }
}

/** Whether the same may be answered otherwise later. */
const mayPass = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'unavailable' || error.kind === 'limited')

/** Keeps the credentials of a connection good while its account is asked, and what is stored of them with it. */
export function renewableCredentials(
  deps: RenewalDeps,
  account: Account,
  signal: AbortSignal,
  onSignIn?: OnSignIn,
): RenewableCredentials {
  const renewal = deps.registry.find(account.provider)?.renewal
  /** Those that are used to their end: just renewed, or not to be renewed for now. */
  let kept: ProviderCredentials | undefined
  /** What is refused after a renewal is what was renewed, whatever is stored by then. */
  const noted = (used: StoredCredentials): ProviderCredentials => {
    onSignIn?.(used)
    return used.credentials
  }
  return {
    async fresh(credentials) {
      const end = renewal?.endOf(credentials) ?? null
      const now = deps.clock.now()
      if (!renewal || end === null || end - now > SOON_MS) return credentials
      if (credentials === kept && end > now) return credentials
      try {
        return (kept = noted(await renewSingleFlight(deps, account, renewal, credentials, signal)))
      } catch (error) {
        if (!mayPass(error) || end <= now) throw error
        return (kept = credentials)
      }
    },

    async instead(refused) {
      if (renewal && renewal.endOf(refused) !== null)
        return noted(await renewSingleFlight(deps, account, renewal, refused, signal))
      // The fleet may have signed in again, while it was asked with what it signed in with before.
      const { credentials = null, sealed = '' } =
        (await storedCredentials(deps.db, deps.secrets, account)) ?? {}
      return credentials && !areSame(credentials, refused) ? noted({ credentials, sealed }) : null
    },
  }
}

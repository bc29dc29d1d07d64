import type { ProviderApi } from '../../../providers/provider-api.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { Priority } from '../../../providers/rate-limit/rate-limit.ts'
import type { ProviderCredentials, RenewableCredentials } from '../../../providers/provider.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import { renewSingleFlight } from './single-flight-renewal.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import { areSame, type StoredCredentials, storedCredentials } from './stored-credentials.ts'

/** Credentials that expire sooner are renewed before use. */
const RENEW_BEFORE_EXPIRY_MS = 60_000

/** Called with the stored credentials that requests use: once at the start, and after each renewal. */
export type OnCredentialsUsed = (used: StoredCredentials) => void

/** Opens the provider API with the credentials of a connection. The API renews them during use. */
export async function openAccount(
  deps: RenewalDeps,
  account: CredentialsOwner,
  signal: AbortSignal,
  priority: Priority = 'background',
  onCredentialsUsed?: OnCredentialsUsed,
): Promise<ProviderApi> {
  const adapter = deps.registry.find(account.provider)
  const used = await readCredentials(deps, account)
  if (!adapter) throw new Error(`there is no provider ${account.provider}`)
  onCredentialsUsed?.(used)
  return adapter.api(
    used.credentials,
    signal,
    priority,
    renewableCredentials(deps, account, signal, onCredentialsUsed),
  )
}

type StoredCredentialsRef = Pick<RenewalDeps, 'db' | 'secrets'>
type AccountOwner = Pick<CredentialsOwner, 'id' | 'applicationId'>

/** Returns the stored credentials of a connection. */
export const storedCredentialsOf = async (
  from: StoredCredentialsRef,
  account: AccountOwner,
): Promise<ProviderCredentials> => (await readCredentials(from, account)).credentials

async function readCredentials(
  { db, secrets }: StoredCredentialsRef,
  account: AccountOwner,
): Promise<StoredCredentials> {
  const { credentials = null, sealed = '' } = (await storedCredentials(db, secrets, account)) ?? {}
  if (!credentials) throw new Error(`connection ${account.id} no longer exists`)
  return { credentials, sealed }
}

/** Whether a later attempt may succeed. */
const isTransient = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'unavailable' || error.kind === 'limited')

/** Renews the credentials of a connection during use, and stores the renewed ones. */
export function renewableCredentials(
  deps: RenewalDeps,
  account: CredentialsOwner,
  signal: AbortSignal,
  onCredentialsUsed?: OnCredentialsUsed,
): RenewableCredentials {
  const renewal = deps.registry.find(account.provider)?.renewal
  /** Credentials that are not renewed before they expire: they are just renewed, or their renewal failed for now. */
  let untilExpiry: ProviderCredentials | undefined
  /** Reports the credentials that are used. If the provider refuses them later, newer ones may be stored by then. */
  const reportUsed = (used: StoredCredentials): ProviderCredentials => {
    onCredentialsUsed?.(used)
    return used.credentials
  }
  return {
    async fresh(credentials) {
      const end = renewal?.expiryOf(credentials) ?? null
      const now = deps.clock.now()
      if (!renewal || end === null || end - now > RENEW_BEFORE_EXPIRY_MS) return credentials
      if (credentials === untilExpiry && end > now) return credentials
      try {
        return (untilExpiry = reportUsed(
          await renewSingleFlight(deps, account, renewal, credentials, signal),
        ))
      } catch (error) {
        if (!isTransient(error) || end <= now) throw error
        return (untilExpiry = credentials)
      }
    },

    async replacementFor(refused) {
      if (renewal && renewal.expiryOf(refused) !== null)
        return reportUsed(await renewSingleFlight(deps, account, renewal, refused, signal))
      // The fleet may have signed in again while the refused request used the previous credentials.
      const { credentials = null, sealed = '' } =
        (await storedCredentials(deps.db, deps.secrets, account)) ?? {}
      return credentials && !areSame(credentials, refused) ? reportUsed({ credentials, sealed }) : null
    },
  }
}

import type { ProviderApi } from '../../../providers/provider-api.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { Priority } from '../../../providers/rate-limit/rate-limit.ts'
import type { ProviderCredentials, RenewableCredentials } from '../../../providers/provider.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import { renewSingleFlight } from './single-flight-renewal.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import { areSame, type StoredCredentials, storedCredentials } from './stored-credentials.ts'

/** Credentials that expire within this time are renewed before use. */
const RENEW_BEFORE_EXPIRY_MS = 60_000

/** Called at the start, and whenever requests change to other credentials. Renewed ones may not be stored yet. */
export type OnCredentialsUsed = (used: StoredCredentials) => void

/** Opens the provider API with the credentials of a connection. The API renews them during use. */
export async function openAccount(
  deps: RenewalDeps,
  connection: CredentialsOwner,
  signal: AbortSignal,
  priority: Priority = 'background',
  onCredentialsUsed?: OnCredentialsUsed,
): Promise<ProviderApi> {
  const adapter = deps.registry.find(connection.provider)
  const used = await readCredentials(deps, connection)
  if (!adapter) throw new Error(`there is no provider ${connection.provider}`)
  onCredentialsUsed?.(used)
  return adapter.api(
    used.credentials,
    signal,
    priority,
    renewableCredentials(deps, connection, signal, onCredentialsUsed),
  )
}

type CredentialsStore = Pick<RenewalDeps, 'db' | 'secrets'>
type ConnectionKey = Pick<CredentialsOwner, 'id' | 'applicationId'>

/** Returns the stored credentials of a connection. */
export const storedCredentialsOf = async (
  from: CredentialsStore,
  connection: ConnectionKey,
): Promise<ProviderCredentials> => (await readCredentials(from, connection)).credentials

async function readCredentials(
  { db, secrets }: CredentialsStore,
  connection: ConnectionKey,
): Promise<StoredCredentials> {
  const { credentials = null, sealed = '' } = (await storedCredentials(db, secrets, connection)) ?? {}
  if (!credentials) throw new Error(`connection ${connection.id} has no stored credentials`)
  return { credentials, sealed }
}

/** Whether the error is temporary, so that a later renewal may succeed. */
const isTransient = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'unavailable' || error.kind === 'limited')

/** Returns functions that renew the credentials of a connection during use. They store the renewed credentials. */
export function renewableCredentials(
  deps: RenewalDeps,
  connection: CredentialsOwner,
  signal: AbortSignal,
  onCredentialsUsed?: OnCredentialsUsed,
): RenewableCredentials {
  const renewal = deps.registry.find(connection.provider)?.renewal
  /** Credentials that stay in use until they expire. They were renewed last, or the provider could not renew them. */
  let keptUntilExpiry: ProviderCredentials | undefined
  /** Reports the credentials in use. After a refusal, the caller compares them with the stored ones. */
  const reportUsed = (used: StoredCredentials): ProviderCredentials => {
    onCredentialsUsed?.(used)
    return used.credentials
  }
  return {
    async fresh(credentials) {
      const expiresAt = renewal?.expiryOf(credentials) ?? null
      const now = deps.clock.now()
      if (!renewal || expiresAt === null || expiresAt - now > RENEW_BEFORE_EXPIRY_MS) return credentials
      if (credentials === keptUntilExpiry && expiresAt > now) return credentials
      try {
        return (keptUntilExpiry = reportUsed(
          await renewSingleFlight(deps, connection, renewal, credentials, signal),
        ))
      } catch (error) {
        if (!isTransient(error) || expiresAt <= now) throw error
        return (keptUntilExpiry = credentials)
      }
    },

    async replacementFor(refused) {
      if (renewal && renewal.expiryOf(refused) !== null)
        return reportUsed(await renewSingleFlight(deps, connection, renewal, refused, signal))
      // The fleet may have signed in again while the refused request used the previous credentials.
      const { credentials = null, sealed = '' } =
        (await storedCredentials(deps.db, deps.secrets, connection)) ?? {}
      return credentials && !areSame(credentials, refused) ? reportUsed({ credentials, sealed }) : null
    },
  }
}

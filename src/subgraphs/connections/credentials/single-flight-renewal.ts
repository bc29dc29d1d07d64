import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import { abortable } from '../../../platform/lifecycle/abortable.ts'
import { renewCredentials } from './renew-credentials.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import { areSame, type StoredCredentials } from './stored-credentials.ts'

interface RenewalInFlight {
  readonly used: ProviderCredentials
  readonly renewed: Promise<StoredCredentials>
}

/** Renewals in flight in this process, by database and connection. */
const inFlight = new WeakMap<RenewalDeps['db'], Map<string, RenewalInFlight>>()

/**
 * Renews the credentials of a connection. Concurrent callers in this process share one renewal, and one
 * process at a time renews. An aborted caller does not abort the renewal.
 */
export function renewSingleFlight(
  deps: RenewalDeps,
  account: CredentialsOwner,
  renewal: Renewal,
  used: ProviderCredentials,
  signal: AbortSignal,
): Promise<StoredCredentials> {
  const byConnection = inFlight.get(deps.db) ?? new Map<string, RenewalInFlight>()
  inFlight.set(deps.db, byConnection)
  const existing = byConnection.get(account.id)
  if (existing && areSame(existing.used, used)) return abortable(signal, existing.renewed)
  const renewed = renewCredentials(deps, account, renewal, used)
  const entry = { used, renewed }
  byConnection.set(account.id, entry)
  const forget = () => {
    if (byConnection.get(account.id) === entry) byConnection.delete(account.id)
  }
  renewed.then(forget, forget)
  return abortable(signal, renewed)
}

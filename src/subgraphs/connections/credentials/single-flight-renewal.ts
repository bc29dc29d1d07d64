import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import { abortable } from '../../../platform/lifecycle/abortable.ts'
import { renewCredentials } from './renew-credentials.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import { type Account, areSame, type StoredCredentials } from './stored-credentials.ts'

interface RenewalInFlight {
  readonly used: ProviderCredentials
  readonly renewed: Promise<StoredCredentials>
}

/** What this process is about to renew, by its database and the connection. */
const inFlight = new WeakMap<RenewalDeps['db'], Map<string, RenewalInFlight>>()

/**
 * Renews the credentials of a connection: in one process once for all who wait, of all processes in one at a time. Who
 * leaves does not end it for the others.
 */
export function renewSingleFlight(
  deps: RenewalDeps,
  account: Account,
  renewal: Renewal,
  used: ProviderCredentials,
  signal: AbortSignal,
): Promise<StoredCredentials> {
  const known = inFlight.get(deps.db) ?? new Map<string, RenewalInFlight>()
  inFlight.set(deps.db, known)
  const found = known.get(account.id)
  if (found && areSame(found.used, used)) return abortable(signal, found.renewed)
  const renewed = renewCredentials(deps, account, renewal, used)
  const mine = { used, renewed }
  known.set(account.id, mine)
  const forget = () => {
    if (known.get(account.id) === mine) known.delete(account.id)
  }
  renewed.then(forget, forget)
  return abortable(signal, renewed)
}

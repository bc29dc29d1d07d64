import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import { abortable } from '../../../platform/lifecycle/abortable.ts'
import { withTimeout } from '../../../platform/lifecycle/timeout.ts'
import { renewCredentials } from './renew-credentials.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import type { UnstoredCredentials } from './renewals.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import { areSame, type StoredCredentials } from './stored-credentials.ts'

/**
 * Renews the credentials of a connection. Concurrent callers in this process share one renewal, and one
 * process at a time renews. An aborted caller does not abort the renewal. If this process holds renewed
 * credentials that are not stored yet, it returns those.
 */
export function renewSingleFlight(
  deps: RenewalDeps,
  account: CredentialsOwner,
  renewal: Renewal,
  used: ProviderCredentials,
  signal: AbortSignal,
): Promise<StoredCredentials> {
  const { inFlight, unstored } = deps.renewals
  const held = unstored.get(account.id)
  if (held && !areSame(held.renewed.credentials, used)) return Promise.resolve(held.renewed)
  const existing = inFlight.get(account.id)
  if (existing && areSame(existing.used, used)) return abortable(signal, existing.renewed)
  const renewed = untilStored(deps, held).then(() => renewCredentials(deps, account, renewal, used))
  inFlight.add(account.id, { used, renewed }, renewed)
  return abortable(signal, renewed)
}

/** Waits for the store of the credentials to renew: other workers do not know them, and could not wait for a lease. */
async function untilStored(
  { renewals: { timing } }: RenewalDeps,
  held: UnstoredCredentials | undefined,
): Promise<void> {
  const late = new ProviderError('unavailable', 'the credentials to renew are not stored yet')
  if (held) await withTimeout(held.stored, timing.waitMs, late)
}

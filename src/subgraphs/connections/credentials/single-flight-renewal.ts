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
 * Renews the credentials of a connection. Callers in this process with the same credentials share one renewal, and one
 * process at a time renews. An aborted caller does not abort the renewal. A caller with older credentials gets renewed
 * ones before they are stored.
 */
export function renewSingleFlight(
  deps: RenewalDeps,
  connection: CredentialsOwner,
  renewal: Renewal,
  used: ProviderCredentials,
  signal: AbortSignal,
): Promise<StoredCredentials> {
  const { inFlight, unstored } = deps.renewals
  const held = unstored.get(connection.id)
  if (held && !areSame(held.renewed.credentials, used)) return Promise.resolve(held.renewed)
  const existing = inFlight.get(connection.id)
  if (existing && areSame(existing.used, used)) return abortable(signal, existing.renewed)
  const renewed = untilStored(deps, held).then(() => renewCredentials(deps, connection, renewal, used))
  inFlight.add(connection.id, { used, renewed }, renewed)
  return abortable(signal, renewed)
}

/** Waits until the credentials to renew are stored. Before that, the renewal would mistake the stored ones for newer. */
async function untilStored(
  { renewals: { timing } }: RenewalDeps,
  held: UnstoredCredentials | undefined,
): Promise<void> {
  const notStoredInTime = new ProviderError('unavailable', 'the credentials to renew are not stored yet')
  if (held) await withTimeout(held.stored, timing.waitMs, notStoredInTime)
}

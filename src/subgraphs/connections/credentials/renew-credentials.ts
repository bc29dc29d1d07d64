import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import {
  disconnectWithLease,
  extendLease,
  releaseRenewalLease,
  type RenewalDeps,
  takeRenewalLease,
  type RenewalLease,
} from './renewal-lease.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import { pauseMs } from '../../../storage/timeouts.ts'
import { storeRenewed } from './store-renewed.ts'
import {
  areSame,
  requireCredentials,
  type StoredCredentials,
  storedCredentials,
} from './stored-credentials.ts'
import { deadlineSignal } from '../../../platform/lifecycle/deadline.ts'

/** Pauses between attempts to take the lease. */
const LEASE_PAUSE = { firstMs: 25, maxMs: 400 }
const ATTEMPTS = 3
/** Pause between two reads of the stored credentials, while newer ones may still be stored. */
const LOOK_PAUSE_MS = 1000

/**
 * Renews the credentials of a connection, or returns those that another worker has stored meanwhile. One
 * worker at a time asks the provider. If the provider refuses the renewal, the connection is disconnected. An
 * outage is retried and then thrown.
 */
export async function renewCredentials(
  deps: RenewalDeps,
  account: CredentialsOwner,
  renewal: Renewal,
  used: ProviderCredentials,
): Promise<StoredCredentials> {
  const { renewals } = deps
  const startedAt = performance.now()
  for (let waits = 0, attempt = 1; ; waits++) {
    renewals.requireOpen()
    const found = await takeRenewalLease(deps, account, used)
    if (found && 'newer' in found) return found.newer
    try {
      const renewed = found && (await renewWithLease(deps, account, renewal, found.lease))
      if (renewed) return renewed
    } catch (error) {
      if (!isOutage(error) || attempt++ === ATTEMPTS) throw error
    }
    if (performance.now() - startedAt > renewals.timing.waitMs)
      throw new ProviderError('unavailable', 'another worker is renewing the credentials')
    await renewals.pause(pauseMs(waits, LEASE_PAUSE))
  }
}

const isOutage = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'unavailable'

/**
 * Asks the provider, outside of any transaction. An aborted caller does not abort the request, because its
 * result must be stored. After an unexpected error the lease expires by itself. An outage has no known outcome:
 * the provider may have renewed the credentials, and only its answer was lost.
 */
async function renewWithLease(
  deps: RenewalDeps,
  account: CredentialsOwner,
  renewal: Renewal,
  lease: RenewalLease,
): Promise<StoredCredentials | null> {
  let renewed: ProviderCredentials
  try {
    renewed = await renewInTime(renewal, lease.used, deps.renewals.timing.answerMs)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'invalid_credentials') return disconnectIfFinal(deps, account, lease, error)
    await releaseRenewalLease(deps, account, lease, isOutage(error) ? 'unknown' : 'known')
    throw error
  }
  return storeRenewed(deps, account, lease.used, renewed)
}

async function renewInTime(
  renewal: Renewal,
  used: ProviderCredentials,
  answerMs: number,
): Promise<ProviderCredentials> {
  const limit = deadlineSignal(answerMs)
  try {
    return await renewal.renew(used, limit)
  } catch (cause) {
    if (!limit.aborted || cause instanceof ProviderError) throw cause
    throw new ProviderError('unavailable', 'the credentials were not renewed in time', {
      cause,
      timedOut: true,
    })
  }
}

/**
 * Handles a refusal. If an earlier renewal has no known outcome, the refused credentials may be replaced
 * ones, and another worker may hold the new ones in memory. It gets the time `secondLookMs` to store them.
 */
async function disconnectIfFinal(
  deps: RenewalDeps,
  account: CredentialsOwner,
  lease: RenewalLease,
  refusal: ProviderError,
): Promise<StoredCredentials | null> {
  if (!lease.isDoubtful) return disconnectWithLease(deps, account, lease, refusal)
  const extended = await extendLease(deps, account, lease)
  if (extended === null || 'newer' in extended) return extended && extended.newer
  const newer = await awaitNewer(deps, account, lease.used)
  return newer ?? disconnectWithLease(deps, account, extended.lease, refusal)
}

/** Waits until other credentials are stored. Returns null if none are stored within `secondLookMs`. */
async function awaitNewer(
  { db, secrets, renewals }: RenewalDeps,
  account: CredentialsOwner,
  used: ProviderCredentials,
): Promise<StoredCredentials | null> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < renewals.timing.secondLookMs) {
    await renewals.pause(Math.min(LOOK_PAUSE_MS, renewals.timing.secondLookMs))
    renewals.requireOpen()
    const stored = requireCredentials(await storedCredentials(db, secrets, account))
    if (!areSame(stored.credentials, used)) return stored
  }
  return null
}

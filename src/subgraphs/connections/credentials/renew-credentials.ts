import { setTimeout as wait } from 'node:timers/promises'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import {
  releaseRenewalLease,
  type RenewalDeps,
  disconnectWithLease,
  storeRenewed,
  takeRenewalLease,
  type RenewalLease,
} from './renewal-lease.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import type { StoredCredentials } from './stored-credentials.ts'
import { deadlineSignal } from '../../../platform/lifecycle/deadline.ts'

/** Time limit for the response of the provider: shorter than the renewal lease. */
const RESPONSE_TIMEOUT_MS = 8_000
/** Longer than a lease: after the death of the worker that holds the lease, a waiting worker takes it. */
const MAX_WAIT_MS = 15_000
const MAX_PAUSE_MS = 400
const ATTEMPTS = 3

/**
 * Renews the credentials of a connection, or returns those that another worker has stored meanwhile. One
 * worker at a time asks the provider. The renewed credentials are stored before any use. If the provider
 * refuses the renewal, the connection is disconnected. An outage is retried and then thrown.
 */
export async function renewCredentials(
  deps: RenewalDeps,
  account: CredentialsOwner,
  renewal: Renewal,
  used: ProviderCredentials,
): Promise<StoredCredentials> {
  const startedAt = performance.now()
  for (let waits = 0, attempt = 1; ; waits++) {
    const found = await takeRenewalLease(deps, account, used)
    if (found && 'newer' in found) return found.newer
    try {
      const renewed = found && (await renewWithLease(deps, account, renewal, found.lease))
      if (renewed) return renewed
    } catch (error) {
      if (!isOutage(error) || attempt++ === ATTEMPTS) throw error
    }
    if (performance.now() - startedAt > MAX_WAIT_MS)
      throw new ProviderError('unavailable', 'another worker is renewing the credentials')
    const pauseMs = Math.min(25 * 2 ** waits, MAX_PAUSE_MS) * (0.5 + Math.random())
    await wait(pauseMs)
  }
}

const isOutage = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'unavailable'

/**
 * Asks the provider, outside of any transaction. An aborted caller does not abort the request, because its
 * result must be stored. After an unexpected error the lease expires by itself.
 */
async function renewWithLease(
  deps: RenewalDeps,
  account: CredentialsOwner,
  renewal: Renewal,
  lease: RenewalLease,
): Promise<StoredCredentials | null> {
  let renewed: ProviderCredentials
  try {
    renewed = await renewInTime(renewal, lease.used)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'revoked') return disconnectWithLease(deps, account, lease, error)
    await releaseRenewalLease(deps, account, lease)
    throw error
  }
  return storeRenewed(deps, account, lease, renewed)
}

async function renewInTime(renewal: Renewal, used: ProviderCredentials): Promise<ProviderCredentials> {
  const limit = deadlineSignal(RESPONSE_TIMEOUT_MS)
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

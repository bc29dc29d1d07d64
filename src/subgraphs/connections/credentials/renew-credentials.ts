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
import type { Account, StoredCredentials } from './stored-credentials.ts'

/** What the provider may take to answer: less than the turn to ask it lasts. */
const ANSWER_MS = 8_000
/** Longer than a turn: whoever waits for a worker that died takes its place. */
const MAX_WAIT_MS = 15_000
const MAX_PAUSE_MS = 400
const ATTEMPTS = 3

/**
 * Renews the credentials of a connection, or gives those that another worker has stored meanwhile. One worker asks the
 * provider at a time, and what it is given is stored before anybody uses it. Where the provider refuses to renew, the
 * connection is disconnected; an outage is tried again, and then thrown.
 */
export async function renewCredentials(
  deps: RenewalDeps,
  account: Account,
  renewal: Renewal,
  used: ProviderCredentials,
): Promise<StoredCredentials> {
  const begun = performance.now()
  for (let looks = 0, attempt = 1; ; looks++) {
    const found = await takeRenewalLease(deps, account, used)
    if (found && 'others' in found) return found.others
    try {
      const renewed = found && (await renewWithLease(deps, account, renewal, found.lease))
      if (renewed) return renewed
    } catch (error) {
      if (!isOutage(error) || attempt++ === ATTEMPTS) throw error
    }
    if (performance.now() - begun > MAX_WAIT_MS)
      throw new ProviderError('unavailable', 'another worker is renewing the sign-in')
    const pauseMs = Math.min(25 * 2 ** looks, MAX_PAUSE_MS) * (0.5 + Math.random())
    await wait(pauseMs)
  }
}

const isOutage = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'unavailable'

/**
 * Asks the provider, outside of any transaction. A caller that leaves does not end it, since what was asked for has to
 * be stored; a failure that nobody foresaw leaves the turn to end by itself.
 */
async function renewWithLease(
  deps: RenewalDeps,
  account: Account,
  renewal: Renewal,
  lease: RenewalLease,
): Promise<StoredCredentials | null> {
  let renewed: ProviderCredentials
  try {
    renewed = await answeredInTime(renewal, lease.used)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'revoked') return disconnectWithLease(deps, account, lease, error)
    await releaseRenewalLease(deps, account, lease)
    throw error
  }
  return storeRenewed(deps, account, lease, renewed)
}

async function answeredInTime(renewal: Renewal, used: ProviderCredentials): Promise<ProviderCredentials> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  try {
    return await renewal.renew(used, limit)
  } catch (cause) {
    if (!limit.aborted || cause instanceof ProviderError) throw cause
    throw new ProviderError('unavailable', 'the sign-in was not renewed in time', { cause, timedOut: true })
  }
}

import type { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import type { Instant } from '../../../domain/time.ts'
import { lockConnection } from '../find-connection.ts'
import { transitionConnection } from '../lifecycle/transition-connection.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import type { RenewalTiming } from './renewal-timing.ts'
import {
  areSame,
  requireCredentials,
  type StoredAccount,
  type StoredCredentials,
  storedCredentials,
} from './stored-credentials.ts'

export type RenewalDeps = Pick<
  ConnectionCommandDeps,
  'db' | 'secrets' | 'registry' | 'notifier' | 'clock' | 'renewals'
>

/**
 * A worker's lease for renewing the credentials that it has used. It keeps workers from asking the provider at the
 * same time. It does not protect the stored credentials: they are replaced only while they are still the used ones.
 */
export interface RenewalLease {
  readonly used: ProviderCredentials
  /** End of the lease, by the clock of the database. */
  readonly until: Instant
  /**
   * Whether an earlier renewal has no known outcome. Its worker may hold the only credentials that the provider
   * still accepts, and store them later.
   */
  readonly isDoubtful: boolean
}

/** End of a lease that is over, but whose renewal has no known outcome. A known outcome leaves null. */
export const OUTCOME_UNKNOWN: Instant = 0

/** Newer credentials that are stored by now. */
interface Newer {
  readonly newer: StoredCredentials
}

/**
 * Takes the lease for renewing the used credentials. Returns the stored credentials if they already differ,
 * and null while another worker holds the lease.
 */
export async function takeRenewalLease(
  { db, secrets, renewals: { timing } }: RenewalDeps,
  account: CredentialsOwner,
  used: ProviderCredentials,
): Promise<{ readonly lease: RenewalLease } | Newer | null> {
  const stored = requireCredentials(await storedCredentials(db, secrets, account))
  if (!areSame(stored.credentials, used)) return { newer: stored }
  if (isLeased(stored, timing)) return null
  const { refreshingUntil: before, readAt, sealed } = stored
  const lease = { used, until: readAt + timing.leaseMs, isDoubtful: before !== null }
  const taken = await db.transaction((tx) =>
    tx.run(
      `UPDATE \`connections\` SET \`refreshingUntil\` = ? WHERE \`id\` = ? AND \`applicationId\` = ?
        AND \`credentialsSealed\` = ? AND COALESCE(\`refreshingUntil\`, -1) = ?`,
      [lease.until, account.id, account.applicationId, sealed, before ?? -1],
    ),
  )
  return taken === 1 ? { lease } : null
}

/** A lease that ends later than any lease can has another clock, or this one was set back. It does not count. */
const isLeased = ({ refreshingUntil, readAt }: StoredAccount, timing: RenewalTiming): boolean =>
  refreshingUntil !== null &&
  refreshingUntil > readAt &&
  refreshingUntil <= readAt + timing.secondLookMs + timing.leaseMs

/** Extends the lease until after the second look, so that no worker presents the refused credentials again. */
export async function extendLease(
  deps: RenewalDeps,
  account: CredentialsOwner,
  lease: RenewalLease,
): Promise<{ readonly lease: RenewalLease } | Newer | null> {
  const { secondLookMs, leaseMs } = deps.renewals.timing
  const extended = await withLease(deps, account, lease, async (tx, { readAt }) => {
    const until = readAt + secondLookMs + leaseMs
    await setLeaseEnd(tx, account, until)
    return { ...lease, until }
  })
  return extended && 'done' in extended ? { lease: extended.done } : extended
}

/** Releases the lease without a renewal. The doubt of an earlier renewal stays. */
export async function releaseRenewalLease(
  deps: RenewalDeps,
  account: CredentialsOwner,
  lease: RenewalLease,
  outcome: 'known' | 'unknown',
): Promise<void> {
  const end = outcome === 'unknown' || lease.isDoubtful ? OUTCOME_UNKNOWN : null
  await withLease(deps, account, lease, (tx) => setLeaseEnd(tx, account, end))
}

/**
 * Disconnects the connection after a refusal and throws the refusal. If other credentials are stored by now,
 * returns those instead. Null if another worker holds the lease.
 */
export async function disconnectWithLease(
  deps: RenewalDeps,
  account: CredentialsOwner,
  lease: RenewalLease,
  refusal: ProviderError,
): Promise<StoredCredentials | null> {
  const disconnected = await withLease(deps, account, lease, async (tx) => {
    await setLeaseEnd(tx, account, null)
    const held = await lockConnection(
      tx,
      { applicationId: account.applicationId, connectionIds: [account.id] },
      account.id,
    )
    const providerName = providerNameOf(deps, account.provider)
    // A running sync ends by itself and records why it failed.
    await transitionConnection(tx, held, 'refuse_credentials', {
      now: deps.clock.now(),
      providerName,
      keepsSyncs: true,
    })
  })
  if (disconnected === null || 'newer' in disconnected) return disconnected && disconnected.newer
  await afterCommit(deps)
  throw refusal
}

/**
 * Runs `work` on the locked row if this worker still holds the lease. If other credentials are stored,
 * returns those. Null if another worker holds the lease.
 */
function withLease<Result>(
  { db, secrets }: RenewalDeps,
  account: CredentialsOwner,
  { used, until }: RenewalLease,
  work: (tx: Transaction, stored: StoredAccount) => Promise<Result>,
): Promise<{ readonly done: Result } | Newer | null> {
  return db.transaction(async (tx) => {
    const stored = requireCredentials(await storedCredentials(tx, secrets, account, forUpdate(tx.dialect)))
    if (!areSame(stored.credentials, used)) return { newer: stored }
    return stored.refreshingUntil === until ? { done: await work(tx, stored) } : null
  })
}

const setLeaseEnd = (
  tx: Transaction,
  { id, applicationId }: CredentialsOwner,
  until: Instant | null,
): Promise<unknown> =>
  tx.run('UPDATE `connections` SET `refreshingUntil` = ? WHERE `id` = ? AND `applicationId` = ?', [
    until,
    id,
    applicationId,
  ])

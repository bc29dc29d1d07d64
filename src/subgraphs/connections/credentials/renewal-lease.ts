import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import type { Instant } from '../../../domain/time.ts'
import { lockConnection } from '../find-connection.ts'
import { transitionConnection } from '../lifecycle/transition-connection.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import {
  areSame,
  type StoredCredentials,
  sealedCredentials,
  type StoredAccount,
  storedCredentials,
} from './stored-credentials.ts'

export type RenewalDeps = Pick<ConnectionCommandDeps, 'db' | 'secrets' | 'registry' | 'notifier' | 'clock'>

/** A dead worker loses its lease after this time: longer than the provider may take to respond. */
const LEASE_MS = 10_000

/** A worker's lease for renewing the credentials that it has used. */
export interface RenewalLease {
  readonly used: ProviderCredentials
  /** End of the lease. */
  readonly until: Instant
}

/**
 * Takes the lease for renewing the used credentials. Returns the stored credentials if they already differ,
 * and null while another worker holds the lease.
 */
export async function takeRenewalLease(
  { db, secrets, clock }: RenewalDeps,
  account: CredentialsOwner,
  used: ProviderCredentials,
): Promise<{ lease: RenewalLease } | { newer: StoredCredentials } | null> {
  const stored = requireCredentials(await storedCredentials(db, secrets, account))
  if (!areSame(stored.credentials, used)) return { newer: stored }
  const now = clock.now()
  const until = now + LEASE_MS
  const taken = await db.transaction((tx) =>
    tx.run(
      `UPDATE \`connections\` SET \`refreshingUntil\` = ? WHERE \`id\` = ? AND \`applicationId\` = ?
        AND \`credentialsSealed\` = ? AND (\`refreshingUntil\` IS NULL OR \`refreshingUntil\` < ?)`,
      [until, account.id, account.applicationId, stored.sealed, now],
    ),
  )
  return taken === 1 ? { lease: { used, until } } : null
}

/**
 * Stores the renewed credentials, unless newer are stored by now: then returns those. Null if another worker
 * holds the lease.
 */
export const storeRenewed = (
  deps: RenewalDeps,
  account: CredentialsOwner,
  lease: RenewalLease,
  renewed: ProviderCredentials,
): Promise<StoredCredentials | null> =>
  withLease(deps, account, lease, async (tx) => {
    const sealed = sealedCredentials(deps.secrets, account, renewed)
    await tx.run(
      'UPDATE `connections` SET `credentialsSealed` = ?, `refreshingUntil` = NULL WHERE `id` = ? AND `applicationId` = ?',
      [sealed, account.id, account.applicationId],
    )
    return { credentials: renewed, sealed }
  })

export async function releaseRenewalLease(
  deps: RenewalDeps,
  account: CredentialsOwner,
  lease: RenewalLease,
): Promise<void> {
  await withLease(deps, account, lease, async (tx) => {
    await clearLease(tx, account)
    return null
  })
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
  let isDisconnected = false
  const newer = await withLease(deps, account, lease, async (tx) => {
    isDisconnected = true
    await clearLease(tx, account)
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
    return null
  })
  if (!isDisconnected) return newer
  await afterCommit(deps)
  throw refusal
}

/**
 * Runs `work` on the locked row if this worker still holds the lease. If other credentials are stored,
 * returns those. Null if another worker holds the lease.
 */
function withLease(
  { db, secrets }: RenewalDeps,
  account: CredentialsOwner,
  { used, until }: RenewalLease,
  work: (tx: Transaction) => Promise<StoredCredentials | null>,
): Promise<StoredCredentials | null> {
  return db.transaction(async (tx) => {
    const stored = requireCredentials(await storedCredentials(tx, secrets, account, forUpdate(tx.dialect)))
    if (!areSame(stored.credentials, used)) return stored
    return stored.refreshingUntil === until ? work(tx) : null
  })
}

const clearLease = (tx: Transaction, { id, applicationId }: CredentialsOwner): Promise<unknown> =>
  tx.run('UPDATE `connections` SET `refreshingUntil` = NULL WHERE `id` = ? AND `applicationId` = ?', [
    id,
    applicationId,
  ])

function requireCredentials(stored: StoredAccount | null): StoredAccount & StoredCredentials {
  if (stored?.credentials) return { ...stored, credentials: stored.credentials }
  throw new ProviderError('revoked', 'the connection has no credentials any more')
}

import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import type { Instant } from '../../../domain/time.ts'
import { lockConnection } from '../find-connection.ts'
import { transitionConnection } from '../lifecycle/transition-connection.ts'
import { type ConnectionCommandDeps, afterCommit, providerNameOf } from '../command-deps.ts'
import {
  type Account,
  areSame,
  type StoredCredentials,
  sealedCredentials,
  type StoredAccount,
  storedCredentials,
} from './stored-credentials.ts'

export type RenewalDeps = Pick<ConnectionCommandDeps, 'db' | 'secrets' | 'registry' | 'notifier' | 'clock'>

/** A worker that dies gives its turn up this long afterwards: longer than the provider may take to answer. */
const LEASE_MS = 10_000

/** A worker's turn to renew the credentials that it has used. */
export interface RenewalLease {
  readonly used: ProviderCredentials
  /** Until when it is nobody else's. */
  readonly until: Instant
}

/** A turn to renew what was used; other credentials, where some are stored by now; or null while somebody is at it. */
export async function takeRenewalLease(
  { db, secrets, clock }: RenewalDeps,
  account: Account,
  used: ProviderCredentials,
): Promise<{ lease: RenewalLease } | { others: StoredCredentials } | null> {
  const stored = known(await storedCredentials(db, secrets, account))
  if (!areSame(stored.credentials, used)) return { others: stored }
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

/** Stores what the provider gave; others that are stored by now win. Null where the turn is somebody else's by now. */
export const storeRenewed = (
  deps: RenewalDeps,
  account: Account,
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

/** Lets the next one try. */
export async function releaseRenewalLease(
  deps: RenewalDeps,
  account: Account,
  lease: RenewalLease,
): Promise<void> {
  await withLease(deps, account, lease, async (tx) => {
    await end(tx, account)
    return null
  })
}

/** The provider refused: disconnects the connection, unless others are stored by now. Gives those. */
export async function disconnectWithLease(
  deps: RenewalDeps,
  account: Account,
  lease: RenewalLease,
  refusal: ProviderError,
): Promise<StoredCredentials | null> {
  let isOver = false
  const others = await withLease(deps, account, lease, async (tx) => {
    isOver = true
    await end(tx, account)
    const held = await lockConnection(
      tx,
      { applicationId: account.applicationId, connectionIds: [account.id] },
      account.id,
    )
    const providerName = providerNameOf(deps, account.provider)
    // A sync that runs ends by itself, with why it failed.
    await transitionConnection(tx, held, 'refuse_credentials', {
      now: deps.clock.now(),
      providerName,
      keepsSyncs: true,
    })
    return null
  })
  if (!isOver) return others
  await afterCommit(deps)
  throw refusal
}

/** Works on the row while it is this worker's turn and nobody has stored anything else. */
function withLease(
  { db, secrets }: RenewalDeps,
  account: Account,
  { used, until }: RenewalLease,
  work: (tx: Transaction) => Promise<StoredCredentials | null>,
): Promise<StoredCredentials | null> {
  return db.transaction(async (tx) => {
    const stored = known(await storedCredentials(tx, secrets, account, forUpdate(tx.dialect)))
    if (!areSame(stored.credentials, used)) return stored
    return stored.refreshingUntil === until ? work(tx) : null
  })
}

const end = (tx: Transaction, { id, applicationId }: Account): Promise<unknown> =>
  tx.run('UPDATE `connections` SET `refreshingUntil` = NULL WHERE `id` = ? AND `applicationId` = ?', [
    id,
    applicationId,
  ])

function known(stored: StoredAccount | null): StoredAccount & StoredCredentials {
  if (stored?.credentials) return { ...stored, credentials: stored.credentials }
  throw new ProviderError('revoked', 'the connection has no credentials any more')
}

import { ProviderError } from '../../../providers/api.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/dialect.ts'
import type { Instant } from '../../../time.ts'
import { heldConnection } from '../meant-connection.ts'
import { moveConnection } from '../life/move-connection.ts'
import { type ConnectionWritesFrom, follow, providerNameOf } from '../writes-from.ts'
import {
  type Account,
  areSame,
  type KeptCredentials,
  sealedCredentials,
  type Stored,
  storedCredentials,
} from './stored-credentials.ts'

export type RenewFrom = Pick<ConnectionWritesFrom, 'db' | 'secrets' | 'registry' | 'doorbell' | 'clock'>

/** A worker that dies gives its turn up this long afterwards: longer than the provider may take to answer. */
const LEASE_MS = 10_000

/** A worker's turn to renew the credentials that it has used. */
export interface Turn {
  readonly used: ProviderCredentials
  /** Until when it is nobody else's. */
  readonly until: Instant
}

/** A turn to renew what was used; other credentials, where some are stored by now; or null while somebody is at it. */
export async function takeTurn(
  { db, secrets, clock }: RenewFrom,
  account: Account,
  used: ProviderCredentials,
): Promise<{ turn: Turn } | { others: KeptCredentials } | null> {
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
  return taken === 1 ? { turn: { used, until } } : null
}

/** Stores what the provider gave; others that are stored by now win. Null where the turn is somebody else's by now. */
export const storeRenewed = (
  from: RenewFrom,
  account: Account,
  turn: Turn,
  renewed: ProviderCredentials,
): Promise<KeptCredentials | null> =>
  inTurn(from, account, turn, async (tx) => {
    const sealed = sealedCredentials(from.secrets, account, renewed)
    await tx.run(
      'UPDATE `connections` SET `credentialsSealed` = ?, `refreshingUntil` = NULL WHERE `id` = ? AND `applicationId` = ?',
      [sealed, account.id, account.applicationId],
    )
    return { credentials: renewed, sealed }
  })

/** Lets the next one try. */
export async function endTurn(from: RenewFrom, account: Account, turn: Turn): Promise<void> {
  await inTurn(from, account, turn, async (tx) => {
    await end(tx, account)
    return null
  })
}

/** The provider refused: disconnects the connection, unless others are stored by now. Gives those. */
export async function refuseInTurn(
  from: RenewFrom,
  account: Account,
  turn: Turn,
  refusal: ProviderError,
): Promise<KeptCredentials | null> {
  let isOver = false
  const others = await inTurn(from, account, turn, async (tx) => {
    isOver = true
    await end(tx, account)
    const held = await heldConnection(
      tx,
      { applicationId: account.applicationId, connectionIds: [account.id] },
      account.id,
    )
    const providerName = providerNameOf(from, account.provider)
    // A sync that runs ends by itself, with why it failed.
    await moveConnection(tx, held, 'refuse_credentials', {
      now: from.clock.now(),
      providerName,
      keepsSyncs: true,
    })
    return null
  })
  if (!isOver) return others
  await follow(from)
  throw refusal
}

/** Works on the row while it is this worker's turn and nobody has stored anything else. */
function inTurn(
  { db, secrets }: RenewFrom,
  account: Account,
  { used, until }: Turn,
  work: (tx: Transaction) => Promise<KeptCredentials | null>,
): Promise<KeptCredentials | null> {
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

function known(stored: Stored | null): Stored & KeptCredentials {
  if (stored?.credentials) return { ...stored, credentials: stored.credentials }
  throw new ProviderError('revoked', 'the connection has no credentials any more')
}

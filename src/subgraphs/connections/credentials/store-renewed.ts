import { settledWithin } from '../../../platform/lifecycle/timeout.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { pauseMs } from '../../../storage/timeouts.ts'
import type { CredentialsOwner } from '../../on-demand/provider-calls.ts'
import type { RenewalDeps } from './renewal-lease.ts'
import {
  areSame,
  requireCredentials,
  sealedCredentials,
  type StoredCredentials,
  storedCredentials,
} from './stored-credentials.ts'

const FIRST_PAUSE_MS = 500

/** Credentials that the provider has issued in exchange for the used ones. */
interface Exchange {
  readonly used: ProviderCredentials
  readonly renewed: StoredCredentials
}

/**
 * Stores renewed credentials, also if another worker has the lease by now: the provider may accept no others any more. If
 * the database is out of reach, this process keeps them, uses them and tries again. A caller waits for a while
 * only.
 */
export async function storeRenewed(
  deps: RenewalDeps,
  account: CredentialsOwner,
  used: ProviderCredentials,
  credentials: ProviderCredentials,
): Promise<StoredCredentials> {
  const { unstored, timing } = deps.renewals
  const renewed = { credentials, sealed: sealedCredentials(deps.secrets, account, credentials) }
  const stored = storeUntilDone(deps, account, { used, renewed })
  unstored.add(account.id, { renewed, stored }, stored)
  return (await settledWithin(timing.storeWaitMs, [stored])) ? stored : renewed
}

/** Tries again until the credentials are stored, or the time limit of the store or of the shutdown is over. */
async function storeUntilDone(
  deps: RenewalDeps,
  account: CredentialsOwner,
  exchange: Exchange,
): Promise<StoredCredentials> {
  const { renewals } = deps
  const { log, timing } = renewals
  const connectionId = account.id
  const startedAt = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      const stored = await replaceUsed(deps, account, exchange)
      if (!areSame(stored.credentials, exchange.renewed.credentials))
        log.warn({ connectionId }, 'renewed credentials dropped: others are stored')
      else if (tries > 0) log.warn({ connectionId }, 'renewed credentials stored after an outage')
      return stored
    } catch (err) {
      const isLate = performance.now() - startedAt > timing.storeMs
      if (isDeleted(err) || isLate) log.error({ err, connectionId }, 'renewed credentials dropped')
      if (isDeleted(err) || isLate || renewals.isClosed) throw err
      if (tries === 0)
        log.warn({ err, connectionId }, 'renewed credentials kept in memory until they are stored')
    }
    await renewals.pause(pauseMs(tries, { firstMs: FIRST_PAUSE_MS, maxMs: timing.storePauseMs }))
  }
}

/** Whether the connection or its credentials have been deleted. */
const isDeleted = (error: unknown): boolean => error instanceof ProviderError

/** Replaces the used credentials. If others are stored by now, they stay, and are returned. */
const replaceUsed = (
  { db, secrets }: RenewalDeps,
  account: CredentialsOwner,
  { used, renewed }: Exchange,
): Promise<StoredCredentials> =>
  db.transaction(async (tx) => {
    const stored = requireCredentials(await storedCredentials(tx, secrets, account, forUpdate(tx.dialect)))
    if (!areSame(stored.credentials, used)) return stored
    // A worker that holds the lease renews the replaced credentials: the lease has no use any more.
    await tx.run(
      'UPDATE `connections` SET `credentialsSealed` = ?, `refreshingUntil` = NULL WHERE `id` = ? AND `applicationId` = ?',
      [renewed.sealed, account.id, account.applicationId],
    )
    return renewed
  }, 'idempotent')

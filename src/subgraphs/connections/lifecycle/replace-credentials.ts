import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { Account, ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import type { NewEvent } from '../../../storage/outbox.ts'
import type { Instant } from '../../../domain/time.ts'
import { hasStatusFlag } from '../../tables/connection-states.ts'
import { acceptAgreements, type AcceptedAgreement } from './accept-agreements.ts'
import type { Connection } from '../connection.ts'
import { differing, transitionConnection } from './transition-connection.ts'
import { syncAtOnce } from '../syncs/request-sync.ts'
import type { Sync } from '../syncs/sync.ts'
import type { ChangeEvent } from './transitions.ts'
import { sealedCredentials } from '../credentials/stored-credentials.ts'

/** What a fleet has signed in with. */
export interface SignInResult {
  readonly account: Account
  readonly credentials: ProviderCredentials
  readonly agreements?: readonly AcceptedAgreement[]
}

interface ReplacementOptions {
  readonly trigger: 'link_again' | 'sign_in'
  readonly secrets: EnvelopeEncryption
  readonly now: Instant
  readonly providerName: string
  /** What else changes with it. */
  readonly also?: Partial<Connection>
  /** An earlier record time than those that were asked for up to now: a sync reads from there. */
  readonly startFrom?: Instant | null
  /** What is told of it, given the event of the change itself; null where nothing that shows is different. */
  eventsOf(after: Connection, event: ChangeEvent | null): readonly NewEvent[]
}

/**
 * Puts the new credentials of a connection that is held in the place of the old ones: it is connected, keeps its
 * token, and if it was not connected it is synced at once, from where its data end.
 */
export async function replaceCredentials(
  tx: Transaction,
  before: Connection,
  { account, credentials, agreements }: SignInResult,
  { trigger, secrets, now, providerName, also = {}, startFrom = null, eventsOf }: ReplacementOptions,
): Promise<{ connection: Connection; sync: Sync | null }> {
  const { name, dotNumbers, user, sourceId, timeZone } = account
  const shown = {
    account: { name, dotNumbers: [...dotNumbers], user },
    sourceId,
    timeZone: before.timeZone ?? timeZone,
    ...also,
  }
  const change = Object.keys(differing(before, shown)).length > 0 ? 'connection.updated' : null
  const { connection } = await transitionConnection(tx, before, trigger, {
    now,
    providerName,
    also: {
      ...shown,
      ...(startFrom === null ? {} : { backfillFrom: startFrom }),
      credentialsSealed: sealedCredentials(secrets, before, credentials),
      refreshingUntil: null,
    },
    eventsOf: (after, event) => eventsOf(after, event ?? change),
  })
  await acceptAgreements(tx, connection, agreements, now)
  const looks = !hasStatusFlag(before.status, 'allowsProviderCalls') || startFrom !== null
  const sync = looks ? await syncAtOnce(tx, connection, { providerName, startFrom }, now) : null
  return { connection: sync ? { ...connection, lastSyncId: sync.id } : connection, sync }
}

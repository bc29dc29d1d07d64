import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { FleetAccount, ProviderCredentials } from '../../../providers/provider.ts'
import type { Transaction } from '../../../storage/database.ts'
import type { NewEvent } from '../../../storage/outbox.ts'
import type { Instant } from '../../../domain/time.ts'
import { hasStatusFlag } from '../../tables/connection-states.ts'
import { acceptAgreements, type AcceptedAgreement } from './accept-agreements.ts'
import type { Connection } from '../connection.ts'
import { differing, transitionConnection } from './transition-connection.ts'
import { requestInitialSync } from '../syncs/request-sync.ts'
import type { Sync } from '../syncs/sync.ts'
import type { ChangeEvent } from './transitions.ts'
import { sealedCredentials } from '../credentials/stored-credentials.ts'

/** Result of a sign-in. */
export interface SignInResult {
  readonly account: FleetAccount
  readonly credentials: ProviderCredentials
  readonly agreements?: readonly AcceptedAgreement[]
}

interface ReplacementOptions {
  readonly trigger: 'link_again' | 'sign_in'
  readonly secrets: EnvelopeEncryption
  readonly now: Instant
  readonly providerName: string
  /** Other fields to change. */
  readonly fields?: Partial<Connection>
  /** New earliest record time, before all previous ones. A sync from this time is then requested. */
  readonly startFrom?: Instant | null
  /**
   * Returns the events to append, given the event of the change. The event is null if the transition has none and no
   * visible field differs.
   */
  eventsOf(after: Connection, event: ChangeEvent | null): readonly NewEvent[]
}

/**
 * Replaces the credentials of a locked connection. The connection is then connected and keeps its token. If it was not
 * connected, a sync from the end of its data is requested at once. If `startFrom` is given, the sync starts there.
 */
export async function replaceCredentials(
  tx: Transaction,
  before: Connection,
  { account, credentials, agreements }: SignInResult,
  { trigger, secrets, now, providerName, fields = {}, startFrom = null, eventsOf }: ReplacementOptions,
): Promise<{ connection: Connection; sync: Sync | null }> {
  const { name, dotNumbers, user, sourceId, timeZone } = account
  const visibleFields = {
    account: { name, dotNumbers: [...dotNumbers], user },
    sourceId,
    timeZone: before.timeZone ?? timeZone,
    ...fields,
  }
  const updatedEvent = Object.keys(differing(before, visibleFields)).length > 0 ? 'connection.updated' : null
  const { connection } = await transitionConnection(tx, before, trigger, {
    now,
    providerName,
    fields: {
      ...visibleFields,
      ...(startFrom === null ? {} : { backfillFrom: startFrom }),
      credentialsSealed: sealedCredentials(secrets, before, credentials),
      refreshingUntil: null,
    },
    eventsOf: (after, event) => eventsOf(after, event ?? updatedEvent),
  })
  await acceptAgreements(tx, connection, agreements, now)
  const needsSync = !hasStatusFlag(before.status, 'allowsProviderCalls') || startFrom !== null
  const sync = needsSync ? await requestInitialSync(tx, connection, { providerName, startFrom }, now) : null
  return { connection: sync ? { ...connection, lastSyncId: sync.id } : connection, sync }
}

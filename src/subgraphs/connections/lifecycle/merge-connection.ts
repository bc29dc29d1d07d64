import type { Transaction } from '../../../storage/database.ts'
import type { Instant } from '../../../domain/time.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { completedEvent, connectionEvent } from '../events.ts'
import type { Connection } from '../connection.ts'
import type { IdentifiedAccount, NewConnection } from './new-connection.ts'
import { replaceCredentials } from './replace-credentials.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

const MAX_TAGS = 100

/**
 * Leads an account that is linked once more to its connection. The run's tags are added, and its identifier where the
 * connection has none; how the connection is set up stays, for it is the integrator who changes that.
 */
export async function mergeConnection(
  tx: Transaction,
  before: Connection,
  linked: IdentifiedAccount,
  { secrets, now }: { readonly secrets: EnvelopeEncryption; readonly now: Instant },
): Promise<NewConnection> {
  const { externalId, backfillFrom, provider } = linked
  const providerName = provider.manifest.name
  const earlier = backfillFrom != null && backfillFrom < (before.backfillFrom ?? before.createdAt)
  const { connection, sync } = await replaceCredentials(tx, before, linked, {
    trigger: 'link_again',
    secrets,
    now,
    providerName,
    also: {
      tags: [...new Set([...before.tags, ...(linked.tags ?? [])])].slice(0, MAX_TAGS),
      externalId: before.externalId ?? externalId ?? null,
    },
    startFrom: earlier ? backfillFrom : null,
    eventsOf: (after, event) => [
      ...(event === null ? [] : [connectionEvent(event, after, providerName)]),
      completedEvent(after, linked, providerName),
    ],
  })
  const token = secrets.open(connection.tokenSealed, encryptionContext('connections.tokenSealed', connection))
  return { connection, token, isNew: false, sync }
}

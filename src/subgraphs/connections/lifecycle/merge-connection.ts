import type { Transaction } from '../../../storage/database.ts'
import type { Instant } from '../../../domain/time.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { completedEvent, connectionEvent } from '../events.ts'
import type { Connection } from '../connection.ts'
import type { IdentifiedAccount, LinkedConnection } from './new-connection.ts'
import { replaceCredentials } from './replace-credentials.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

const MAX_TAGS = 100

/**
 * Merges a repeated link of an account into its connection: replaces the credentials, adds the tags of the link, and
 * sets the external id if the connection has none. Other settings stay unchanged, because only the integrator changes
 * them.
 */
export async function mergeConnection(
  tx: Transaction,
  before: Connection,
  identified: IdentifiedAccount,
  { secrets, now }: { readonly secrets: EnvelopeEncryption; readonly now: Instant },
): Promise<LinkedConnection> {
  const { externalId, backfillFrom, provider } = identified
  const providerName = provider.manifest.name
  const extendsBackfill = backfillFrom != null && backfillFrom < (before.backfillFrom ?? before.createdAt)
  const { connection, sync } = await replaceCredentials(tx, before, identified, {
    trigger: 'link_again',
    secrets,
    now,
    providerName,
    fields: {
      tags: [...new Set([...before.tags, ...(identified.tags ?? [])])].slice(0, MAX_TAGS),
      externalId: before.externalId ?? externalId ?? null,
    },
    startFrom: extendsBackfill ? backfillFrom : null,
    eventsOf: (after, event) => [
      ...(event === null ? [] : [connectionEvent(event, after, providerName)]),
      completedEvent(after, identified, providerName),
    ],
  })
  const token = secrets.open(connection.tokenSealed, encryptionContext('connections.tokenSealed', connection))
  return { connection, token, isNew: false, sync }
}

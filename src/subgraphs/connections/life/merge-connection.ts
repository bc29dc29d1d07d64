import type { Transaction } from '../../../storage/database.ts'
import type { Instant } from '../../../time.ts'
import type { SecretBox } from '../../../auth/secret-box.ts'
import { completedEvent, connectionEvent } from '../announcements.ts'
import type { Connection } from '../connection.ts'
import type { LinkedAccount } from './connection-of-account.ts'
import type { NewConnection } from './create-connection.ts'
import { signInAgain } from './sign-in-again.ts'
import { sealedFor } from '../../sealed-columns.ts'

const MOST_TAGS = 100

/**
 * Leads an account that is linked once more to its connection. The run's tags are added, and its identifier where the
 * connection has none; how the connection is set up stays, for it is the integrator who changes that.
 */
export async function mergeConnection(
  tx: Transaction,
  before: Connection,
  linked: LinkedAccount,
  { secrets, now }: { readonly secrets: SecretBox; readonly now: Instant },
): Promise<NewConnection> {
  const { externalId, backfillFrom, provider } = linked
  const providerName = provider.manifest.name
  const earlier = backfillFrom != null && backfillFrom < (before.backfillFrom ?? before.createdAt)
  const { connection, sync } = await signInAgain(tx, before, linked, {
    trigger: 'link_again',
    secrets,
    now,
    providerName,
    also: {
      tags: [...new Set([...before.tags, ...(linked.tags ?? [])])].slice(0, MOST_TAGS),
      externalId: before.externalId ?? externalId ?? null,
    },
    startFrom: earlier ? backfillFrom : null,
    told: (after, event) => [
      ...(event === null ? [] : [connectionEvent(event, after, providerName)]),
      completedEvent(after, linked, providerName),
    ],
  })
  const token = secrets.open(connection.tokenSealed, sealedFor('connections.tokenSealed', connection))
  return { connection, token, isNew: false, sync }
}

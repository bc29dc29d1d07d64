import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import { by, remember } from '../../audit.ts'
import type { Connection } from '../connection.ts'
import { meantConnection } from '../meant-connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'

/** Ends the address to which a connection's provider tells of news: from now on it leads nowhere. */
export async function removeProviderWebhook(
  { db, clock }: Pick<ConnectionWritesFrom, 'db' | 'clock'>,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> {
  const connection = await meantConnection(db, caller, connectionId)
  const { id, applicationId } = connection
  await db.transaction(async (tx) => {
    const removed = await tx.run(
      'DELETE FROM `provider_webhooks` WHERE `connectionId` = ? AND `applicationId` = ?',
      [id, applicationId],
    )
    if (removed === 0) throw new PublicError('not_found', 'The connection has no provider webhook.')
    await remember(tx, by(caller, clock.now()), { action: 'provider_webhook.removed', targetId: id })
  })
  return connection
}

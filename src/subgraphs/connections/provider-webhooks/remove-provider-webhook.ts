import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import type { Connection } from '../connection.ts'
import { findCallersConnection } from '../find-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'

/** Removes the provider webhook of a connection. Its URL is no longer valid. */
export async function removeProviderWebhook(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> {
  const connection = await findCallersConnection(db, caller, connectionId)
  const { id, applicationId } = connection
  await db.transaction(async (tx) => {
    const removed = await tx.run(
      'DELETE FROM `provider_webhooks` WHERE `connectionId` = ? AND `applicationId` = ?',
      [id, applicationId],
    )
    if (removed === 0) throw new PublicError('not_found', 'The connection has no provider webhook.')
    await recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'provider_webhook.removed',
      targetId: id,
    })
  })
  return connection
}

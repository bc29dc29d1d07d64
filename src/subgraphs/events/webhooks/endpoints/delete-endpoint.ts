import type { Caller } from '../../../../auth/caller.ts'
import { by, remember } from '../../../audit.ts'
import { applicationOf } from '../application-of.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookWritesFrom } from '../writes-from.ts'
import { heldEndpoint } from './held-endpoint.ts'

/**
 * Deletes an endpoint with its secrets. With its progress goes the right of any worker to write for it, so nothing
 * more is recorded; its deliveries are removed bit by bit afterwards.
 */
export async function deleteEndpoint(
  from: WebhookWritesFrom,
  caller: Caller,
  { endpointId }: { readonly endpointId: string },
): Promise<WebhookEndpoint> {
  const tenant = applicationOf(caller)
  const deleted = await from.db.transaction(async (tx) => {
    const endpoint = await heldEndpoint(tx, tenant, endpointId)
    for (const [table, column] of [
      ['webhook_progress', 'endpointId'],
      ['webhook_secrets', 'endpointId'],
      ['webhook_endpoints', 'id'],
    ])
      await tx.run(`DELETE FROM \`${table}\` WHERE \`${column}\` = ? AND \`applicationId\` = ?`, [
        endpoint.id,
        endpoint.applicationId,
      ])
    await remember(tx, by(caller, from.clock.now()), {
      action: 'webhook_endpoint.deleted',
      targetId: endpointId,
    })
    return endpoint
  })
  from.doorbell.ring(WEBHOOKS_TOPIC)
  return deleted
}

import type { Caller } from '../../../../auth/caller.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { lockEndpoint } from './lock-endpoint.ts'

/**
 * Deletes an endpoint with its secrets and progress. Without the progress row no worker can hold a lease, so no more
 * results are written. A retention job deletes the deliveries in batches.
 */
export async function deleteEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId }: { readonly endpointId: string },
): Promise<WebhookEndpoint> {
  const tenant = requireApplication(caller)
  const deleted = await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId)
    for (const [table, column] of [
      ['webhook_progress', 'endpointId'],
      ['webhook_secrets', 'endpointId'],
      ['webhook_endpoints', 'id'],
    ])
      await tx.run(`DELETE FROM \`${table}\` WHERE \`${column}\` = ? AND \`applicationId\` = ?`, [
        endpoint.id,
        endpoint.applicationId,
      ])
    await recordAudit(tx, auditedBy(caller, deps.clock.now()), {
      action: 'webhook_endpoint.deleted',
      targetId: endpointId,
    })
    return endpoint
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  return deleted
}

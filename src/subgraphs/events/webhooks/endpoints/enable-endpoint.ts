import type { Caller } from '../../../../auth/caller.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { latestPosition } from '../../../../storage/outbox.ts'
import type { Instant } from '../../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { lockEndpoint, lockProgress, saveEndpoint } from './lock-endpoint.ts'

interface Enabling {
  readonly endpointId: string
  /** Leaves out what happened while nothing was sent. */
  readonly skipMissed?: boolean | null
}

/** Sends to an endpoint again: from where it stopped, or from now on. One that is enabled is left as it is. */
export async function enableEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, skipMissed }: Enabling,
): Promise<WebhookEndpoint> {
  const tenant = requireApplication(caller)
  const now = deps.clock.now()
  const enabled = await deps.db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, tenant, endpointId)
    if (before.disabledAt === null) return before
    await lockProgress(tx, before, now)
    if (skipMissed === true) await skipToEnd(tx, before)
    await resetHealth(tx, before, now)
    const detail = { skipMissed: skipMissed === true }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.enabled',
      targetId: endpointId,
      detail,
    })
    return saveEndpoint(tx, before, { disabledAt: null, disabledReason: null, modifiedAt: now })
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  return enabled
}

/**
 * As if nothing had ever failed. A worker that still has the lease from before loses it here: what it writes is bound
 * to the lease, so it moves neither the position nor what it counted of failures.
 */
const resetHealth = (tx: Transaction, { id, applicationId }: WebhookEndpoint, now: Instant) =>
  tx.run(
    `UPDATE \`webhook_progress\` SET \`failures\` = 0, \`failingSince\` = NULL, \`leaseOwner\` = NULL, \`leasedUntil\` = NULL,
      \`awaits\` = NULL, \`wakeAt\` = ? WHERE \`endpointId\` = ? AND \`applicationId\` = ?`,
    [now, id, applicationId],
  )

/** Goes on at the end of the log. What waits to be sent again is not; `recoverWebhookEndpoint` still finds it all. */
async function skipToEnd(tx: Transaction, { id, applicationId }: WebhookEndpoint): Promise<void> {
  await tx.run(
    'UPDATE `webhook_progress` SET `position` = ? WHERE `endpointId` = ? AND `applicationId` = ?',
    [await latestPosition(tx, applicationId), id, applicationId],
  )
  await tx.run(
    "UPDATE `webhook_deliveries` SET `status` = 'cancelled', `nextAttemptAt` = NULL WHERE `endpointId` = ? AND `status` = 'pending'",
    [id],
  )
}

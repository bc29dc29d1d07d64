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

interface EnableInput {
  readonly endpointId: string
  /** Skips the events that were written while the endpoint was disabled. */
  readonly skipMissed?: boolean | null
}

/** Enables an endpoint. Delivery resumes where it stopped, or at the end of the log. An enabled one is unchanged. */
export async function enableEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, skipMissed }: EnableInput,
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
 * Resets the failure counters and revokes the lease. Workers write only under their lease. A worker with the old lease
 * can therefore change neither the position nor the counters.
 */
const resetHealth = (tx: Transaction, { id, applicationId }: WebhookEndpoint, now: Instant) =>
  tx.run(
    `UPDATE \`webhook_progress\` SET \`failures\` = 0, \`failingSince\` = NULL, \`leaseOwner\` = NULL, \`leasedUntil\` = NULL,
      \`awaits\` = NULL, \`wakeAt\` = ? WHERE \`endpointId\` = ? AND \`applicationId\` = ?`,
    [now, id, applicationId],
  )

/** Moves the position to the end of the log and cancels pending deliveries. A recovery can still send all of them. */
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

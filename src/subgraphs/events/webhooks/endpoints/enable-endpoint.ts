import type { Caller } from '../../../../auth/caller.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { headOfLog } from '../../../../storage/outbox.ts'
import type { Instant } from '../../../../time.ts'
import { by, remember } from '../../../audit.ts'
import { applicationOf } from '../application-of.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookWritesFrom } from '../writes-from.ts'
import { heldEndpoint, heldProgress, saveEndpoint } from './held-endpoint.ts'

interface Enabling {
  readonly endpointId: string
  /** Leaves out what happened while nothing was sent. */
  readonly skipMissed?: boolean | null
}

/** Sends to an endpoint again: from where it stopped, or from now on. One that is enabled is left as it is. */
export async function enableEndpoint(
  from: WebhookWritesFrom,
  caller: Caller,
  { endpointId, skipMissed }: Enabling,
): Promise<WebhookEndpoint> {
  const tenant = applicationOf(caller)
  const now = from.clock.now()
  const enabled = await from.db.transaction(async (tx) => {
    const before = await heldEndpoint(tx, tenant, endpointId)
    if (before.disabledAt === null) return before
    await heldProgress(tx, before, now)
    if (skipMissed === true) await skip(tx, before)
    await startAnew(tx, before, now)
    const detail = { skipMissed: skipMissed === true }
    await remember(tx, by(caller, now), { action: 'webhook_endpoint.enabled', targetId: endpointId, detail })
    return saveEndpoint(tx, before, { disabledAt: null, disabledReason: null, modifiedAt: now })
  })
  from.doorbell.ring(WEBHOOKS_TOPIC)
  return enabled
}

/**
 * As if nothing had ever failed. A worker that still has the lease from before loses it here: what it writes is bound
 * to the lease, so it moves neither the position nor what it counted of failures.
 */
const startAnew = (tx: Transaction, { id, applicationId }: WebhookEndpoint, now: Instant) =>
  tx.run(
    `UPDATE \`webhook_progress\` SET \`failures\` = 0, \`failingSince\` = NULL, \`leaseOwner\` = NULL, \`leasedUntil\` = NULL,
      \`awaits\` = NULL, \`wakeAt\` = ? WHERE \`endpointId\` = ? AND \`applicationId\` = ?`,
    [now, id, applicationId],
  )

/** Goes on at the end of the log. What waits to be sent again is not; `recoverWebhookEndpoint` still finds it all. */
async function skip(tx: Transaction, { id, applicationId }: WebhookEndpoint): Promise<void> {
  await tx.run(
    'UPDATE `webhook_progress` SET `position` = ? WHERE `endpointId` = ? AND `applicationId` = ?',
    [await headOfLog(tx, applicationId), id, applicationId],
  )
  await tx.run(
    "UPDATE `webhook_deliveries` SET `status` = 'cancelled', `nextAttemptAt` = NULL WHERE `endpointId` = ? AND `status` = 'pending'",
    [id],
  )
}

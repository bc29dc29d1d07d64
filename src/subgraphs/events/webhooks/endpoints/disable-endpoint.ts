import type { Caller } from '../../../../auth/caller.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { announce, OUTBOX_TOPIC, present } from '../../../../storage/outbox.ts'
import { type Instant, toIso } from '../../../../time.ts'
import { type Actor, actorOf, remember, service } from '../../../audit.ts'
import { applicationOf } from '../application-of.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { DisabledReason, WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookWritesFrom } from '../writes-from.ts'
import { heldEndpoint } from './held-endpoint.ts'

/** Sends nothing more to an endpoint. The log goes on, and what it wants of it waits. */
export async function disableEndpoint(
  from: WebhookWritesFrom,
  caller: Caller,
  { endpointId }: { readonly endpointId: string },
): Promise<WebhookEndpoint> {
  const tenant = applicationOf(caller)
  const now = from.clock.now()
  const disabled = await from.db.transaction(async (tx) => {
    const before = await heldEndpoint(tx, tenant, endpointId)
    return (await markDisabled(tx, before, 'asked', now, actorOf(caller))) ?? before
  })
  from.doorbell.ring(WEBHOOKS_TOPIC)
  from.doorbell.ring(OUTBOX_TOPIC)
  return disabled
}

/**
 * Disables an endpoint and tells of it in the log, in the transaction of what was the cause. Null where it is
 * disabled already, or gone. Afterwards `OUTBOX_TOPIC` is to be rung.
 */
export async function markDisabled(
  tx: Transaction,
  endpoint: WebhookEndpoint,
  disabledReason: DisabledReason,
  now: Instant,
  actor: Actor = service,
): Promise<WebhookEndpoint | null> {
  const { id, applicationId } = endpoint
  const marked = await tx.run(
    'UPDATE `webhook_endpoints` SET `disabledAt` = ?, `disabledReason` = ?, `modifiedAt` = ? WHERE `id` = ? AND `applicationId` = ? AND `disabledAt` IS NULL',
    [now, disabledReason, now, id, applicationId],
  )
  if (marked === 0) return null
  const disabled = { ...endpoint, disabledAt: now, disabledReason, modifiedAt: now }
  await announce(tx, { applicationId, connectionId: '', at: now }, [
    { type: 'webhook_endpoint.disabled', subjectId: id, detail: { endpoint: told(disabled) } },
  ])
  const detail = { reason: disabledReason }
  await remember(
    tx,
    { applicationId, actor, at: now },
    { action: 'webhook_endpoint.disabled', targetId: id, detail },
  )
  return disabled
}

const told = ({ id, url, description, types, disabledReason, disabledAt }: WebhookEndpoint) =>
  present({
    id,
    url,
    description,
    types,
    disabledReason,
    disabledAt: disabledAt === null ? null : toIso(disabledAt),
  })

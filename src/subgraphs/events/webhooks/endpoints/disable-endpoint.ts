import type { Caller } from '../../../../auth/caller.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { appendEvents, OUTBOX_TOPIC, withoutNulls } from '../../../../storage/outbox.ts'
import { type Instant, toIso } from '../../../../domain/time.ts'
import { type Actor, actorOf, recordAudit, serviceActor } from '../../../tables/audit-log.ts'
import { requireApplication } from '../require-application.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import type { DisabledReason, WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { lockEndpoint } from './lock-endpoint.ts'

/** Disables an endpoint. The log continues, and its events wait until the endpoint is enabled. */
export async function disableEndpoint(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId }: { readonly endpointId: string },
): Promise<WebhookEndpoint> {
  const tenant = requireApplication(caller)
  const now = deps.clock.now()
  const disabled = await deps.db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, tenant, endpointId)
    return (await markDisabled(tx, before, 'asked', now, actorOf(caller))) ?? before
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  deps.notifier.notify(OUTBOX_TOPIC)
  return disabled
}

/**
 * Disables an endpoint and appends an event, in the transaction of the cause. Returns null if the endpoint is already
 * disabled or was deleted. The caller must notify `OUTBOX_TOPIC` after the commit.
 */
export async function markDisabled(
  tx: Transaction,
  endpoint: WebhookEndpoint,
  disabledReason: DisabledReason,
  now: Instant,
  actor: Actor = serviceActor,
): Promise<WebhookEndpoint | null> {
  const { id, applicationId } = endpoint
  const updated = await tx.run(
    'UPDATE `webhook_endpoints` SET `disabledAt` = ?, `disabledReason` = ?, `modifiedAt` = ? WHERE `id` = ? AND `applicationId` = ? AND `disabledAt` IS NULL',
    [now, disabledReason, now, id, applicationId],
  )
  if (updated === 0) return null
  const disabled = { ...endpoint, disabledAt: now, disabledReason, modifiedAt: now }
  await appendEvents(tx, { applicationId, connectionId: '', at: now }, [
    { type: 'webhook_endpoint.disabled', subjectId: id, detail: { endpoint: eventDetail(disabled) } },
  ])
  const detail = { reason: disabledReason }
  await recordAudit(
    tx,
    { applicationId, actor, at: now },
    { action: 'webhook_endpoint.disabled', targetId: id, detail },
  )
  return disabled
}

const eventDetail = ({ id, url, description, types, disabledReason, disabledAt }: WebhookEndpoint) =>
  withoutNulls({
    id,
    url,
    description,
    types,
    disabledReason,
    disabledAt: disabledAt === null ? null : toIso(disabledAt),
  })

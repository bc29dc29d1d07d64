import type { Caller } from '../../../../auth/caller.ts'
import { PublicError, invalidMember } from '../../../../domain/errors.ts'
import { newId } from '../../../../domain/ids.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import { type Instant, toIso } from '../../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { checkTypes, storedTypes } from '../../event-types.ts'
import { requireApplication } from '../require-application.ts'
import { lockEndpoint, lockProgress } from '../endpoints/lock-endpoint.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { exampleDetail } from './example-payloads.ts'

interface TestEventInput {
  readonly endpointId: string
  /** Any event type, whether or not the endpoint subscribes to it. */
  readonly type: string
}

/** Sends an example event to an endpoint. It is signed and retried like any other, but is not in the log. */
export async function sendTestEvent(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, type }: TestEventInput,
): Promise<WebhookDelivery> {
  const tenant = requireApplication(caller)
  checkTypes([type], 'input.type')
  const [storedType, ...others] = storedTypes([type])
  if (storedType === undefined || others.length > 0)
    throw invalidMember('type', '`type` must be one event type.')
  const now = deps.clock.now()
  const delivery = await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId)
    if (endpoint.disabledAt !== null) throw endpointDisabled()
    await lockProgress(tx, endpoint, now)
    const created = testDelivery(endpoint, { type, detail: exampleDetail(storedType) }, now)
    await tx.insert(tableOf(WebhookDelivery), [created])
    const detail = { type, deliveryId: created.id }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.test_sent',
      targetId: endpointId,
      detail,
    })
    return created
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  return delivery
}

const endpointDisabled = () =>
  new PublicError('unprocessable_entity', 'The endpoint is disabled: no events are sent to it.', {
    detail: 'Enable the endpoint first.',
  })

function testDelivery(
  { id: endpointId, applicationId }: WebhookEndpoint,
  { type, detail }: { readonly type: string; readonly detail: Readonly<Record<string, unknown>> },
  now: Instant,
): WebhookDelivery {
  const eventId = newId('event', now)
  return {
    id: newId('webhookDelivery', now),
    applicationId,
    connectionId: null,
    endpointId,
    eventId,
    position: null,
    resourceId: null,
    type,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    lastAttemptAt: null,
    lastStatusCode: null,
    replays: 0,
    body: JSON.stringify({ id: eventId, type, timestamp: toIso(now), detail }),
    createdAt: now,
  }
}

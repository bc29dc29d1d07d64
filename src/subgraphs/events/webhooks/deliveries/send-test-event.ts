import type { Caller } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../domain/errors.ts'
import { newId } from '../../../../domain/ids.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import { type Instant, toIso } from '../../../../domain/time.ts'
import { auditedBy, recordAudit } from '../../../tables/audit-log.ts'
import { checkTypes, storedTypes } from '../../event-types.ts'
import { requireApplication } from '../require-application.ts'
import { invalidMember } from '../endpoints/validate-endpoint.ts'
import { lockEndpoint, lockProgress } from '../endpoints/lock-endpoint.ts'
import { WEBHOOKS_TOPIC } from '../topics.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandDeps } from '../command-deps.ts'
import { exampleDetail } from './example-payloads.ts'

interface Test {
  readonly endpointId: string
  /** Any type, whether or not the endpoint wants it. */
  readonly type: string
}

/** Sends an example of a type of event, which is in no log, to an endpoint: signed and tried again like any other. */
export async function sendTestEvent(
  deps: WebhookCommandDeps,
  caller: Caller,
  { endpointId, type }: Test,
): Promise<WebhookDelivery> {
  const tenant = requireApplication(caller)
  checkTypes([type], 'input.type')
  const [storedType, ...others] = storedTypes([type])
  if (storedType === undefined || others.length > 0) throw invalidMember('type', 'Give one type of event.')
  const now = deps.clock.now()
  const delivery = await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId)
    if (endpoint.disabledAt !== null) throw disabled()
    await lockProgress(tx, endpoint, now)
    const made = testDelivery(endpoint, { type, detail: exampleDetail(storedType) }, now)
    await tx.insert(tableOf(WebhookDelivery), [made])
    const detail = { type, deliveryId: made.id }
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'webhook_endpoint.test_sent',
      targetId: endpointId,
      detail,
    })
    return made
  })
  deps.notifier.notify(WEBHOOKS_TOPIC)
  return delivery
}

const disabled = () =>
  new PublicError('unprocessable_entity', 'The endpoint is disabled: nothing is sent to it.', {
    detail: 'Enable it first.',
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
    body: JSON.stringify({ id: eventId, type, timestamp: toIso(now), detail }),
    createdAt: now,
  }
}

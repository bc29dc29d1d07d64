import { newId } from '../../domain/ids.ts'
import type { EventRow } from '../../storage/outbox.ts'
import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../domain/time.ts'
import type { Payload } from './payload-cache.ts'

/** One event on its way to one endpoint. */
export interface Message {
  readonly delivery: WebhookDelivery
  /** Whether the delivery has its row: it was sent, or waited, before. */
  readonly isStored: boolean
  readonly body: Payload
  /** The type as the log stores it; as the endpoint names it, it is in the delivery. */
  readonly storedType: string
}

/** A message of the log that there is no delivery of yet. */
export const newMessage = (
  endpoint: WebhookEndpoint,
  entry: EventRow,
  body: Payload,
  now: Instant,
): Message => ({
  delivery: {
    id: newId('webhookDelivery', now),
    applicationId: endpoint.applicationId,
    connectionId: entry.connectionId === '' ? null : entry.connectionId,
    endpointId: endpoint.id,
    eventId: entry.id,
    position: Number(entry.position),
    resourceId: entry.subjectId,
    type: body.type,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: null,
    lastAttemptAt: null,
    lastStatusCode: null,
    body: null,
    createdAt: now,
  },
  isStored: false,
  body,
  storedType: entry.type,
})

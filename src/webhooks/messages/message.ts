import { newId } from '../../domain/ids.ts'
import type { EventRow } from '../../storage/outbox.ts'
import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../domain/time.ts'
import type { MessagePayload } from './build-payloads.ts'

/** One event for one endpoint, with its payload. */
export interface Message {
  readonly delivery: WebhookDelivery
  /** Whether the delivery already has a row, because it was sent or had to wait before. */
  readonly isStored: boolean
  readonly payload: MessagePayload
  /** Event type as the log stores it; `delivery.type` is the alias that the endpoint uses. */
  readonly storedType: string
}

/** Message for an event that has no delivery row yet. */
export const newMessage = (
  endpoint: WebhookEndpoint,
  entry: EventRow,
  payload: MessagePayload,
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
    type: payload.type,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: null,
    lastAttemptAt: null,
    lastStatusCode: null,
    replays: 0,
    body: null,
    createdAt: now,
  },
  isStored: false,
  payload,
  storedType: entry.type,
})

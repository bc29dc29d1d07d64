import { newId } from '../../../../domain/ids.ts'
import type { EventRow } from '../../../../storage/outbox.ts'
import type { Instant } from '../../../../domain/time.ts'
import { nameFor } from '../../event-types.ts'
import type { WebhookDelivery } from '../webhook-delivery.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'

/** Columns of a log entry that a delivery is created from. */
export type Deliverable = Pick<
  EventRow,
  'id' | 'type' | 'connectionId' | 'subjectId' | 'position' | 'occurredAt'
>

export const DELIVERABLE_COLUMNS = '`id`, `type`, `connectionId`, `subjectId`, `position`, `occurredAt`'

/** Creates the first delivery of an event to an endpoint. */
export const newDelivery = (
  { id: endpointId, applicationId, types }: WebhookEndpoint,
  entry: Deliverable,
  now: Instant,
): WebhookDelivery => ({
  id: newId('webhookDelivery', now),
  applicationId,
  connectionId: entry.connectionId === '' ? null : entry.connectionId,
  endpointId,
  eventId: entry.id,
  position: Number(entry.position),
  resourceId: entry.subjectId,
  type: nameFor(types, entry.type) ?? entry.type,
  status: 'pending',
  attempts: 0,
  nextAttemptAt: now,
  lastAttemptAt: null,
  lastStatusCode: null,
  replays: 0,
  body: null,
  createdAt: now,
})

import { keyHolder } from '../../../src/auth/caller.ts'
import { type Kind, newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { createEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { WebhookAttempt } from '../../../src/subgraphs/events/webhooks/webhook-attempt.ts'
import { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { masterEncryption, NOON, type SeededApplication } from '../factories.ts'

/** Ids of the seeded rows. */
export type WebhookIds = Readonly<
  Record<Extract<Kind, 'webhookEndpoint' | 'webhookDelivery' | 'webhookAttempt'>, string>
>

/** Stores three endpoints of an application. The last one has a delivery of each event, with an attempt. */
export async function seedWebhooks(db: Database, seeded: SeededApplication): Promise<WebhookIds> {
  const deps = { db, secrets: masterEncryption, clock: systemClock, notifier: { notify: () => undefined } }
  const url = `https://receiver.example.com/${seeded.id}`
  let endpointId = ''
  for (let index = 0; index < 3; index++)
    endpointId = (await createEndpoint(deps, keyHolder(seeded.id), { url })).endpoint.id
  const deliveries = seeded.connections.flatMap(({ events }) =>
    events.map((event) => deliveryRow(seeded, endpointId, event.id)),
  )
  const attempts = deliveries.map((delivery) => attemptRow(delivery, url))
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(WebhookDelivery), deliveries)
    await tx.insert(tableOf(WebhookAttempt), attempts)
  })
  return {
    webhookEndpoint: endpointId,
    webhookDelivery: deliveries[0]!.id,
    webhookAttempt: attempts[0]!.id,
  }
}

/** Stores `count` endpoints of an application, without the limit on their number. Returns the id of the first. */
export async function seedEndpoints(db: Database, applicationId: string, count: number): Promise<string> {
  const deps = { db, secrets: masterEncryption, clock: systemClock, notifier: { notify: () => undefined } }
  const url = 'https://receiver.example.com'
  const { endpoint } = await createEndpoint(deps, keyHolder(applicationId), { url })
  const others = Array.from({ length: count - 1 }, () => ({ ...endpoint, id: newId('webhookEndpoint') }))
  await db.transaction((tx) => tx.insert(tableOf(WebhookEndpoint), others))
  return endpoint.id
}

const deliveryRow = ({ id }: SeededApplication, endpointId: string, eventId: string): WebhookDelivery => ({
  id: newId('webhookDelivery'),
  applicationId: id,
  connectionId: null,
  endpointId,
  eventId,
  position: 1,
  resourceId: null,
  type: 'vehicle.modified',
  status: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  lastAttemptAt: NOON,
  lastStatusCode: 200,
  replays: 0,
  body: null,
  createdAt: NOON,
})

const attemptRow = ({ id, applicationId, endpointId }: WebhookDelivery, url: string): WebhookAttempt => ({
  id: newId('webhookAttempt'),
  applicationId,
  endpointId,
  deliveryId: id,
  number: 1,
  attemptedAt: NOON,
  durationMs: 1,
  outcome: 'answered',
  statusCode: 200,
  error: null,
  url,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: 'thank you',
})

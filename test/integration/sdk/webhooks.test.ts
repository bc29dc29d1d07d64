import { type Event, type UnknownEvent, verifyWebhook } from '@odograph/client'
import { expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { eventTypeNames } from '../../../src/subgraphs/events/event-types.ts'
import { sendTestEvent } from '../../../src/subgraphs/events/webhooks/deliveries/send-test-event.ts'
import { WEBHOOKS_TOPIC } from '../../../src/subgraphs/events/webhooks/topics.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'

test('verifyWebhook returns each delivered event with the members of its type', async () => {
  await using harness = await DeliveryHarness.start('sqlite')
  await using inbox = await WebhookInbox.start({ secrets: [SECRET] })
  const { id: endpointId } = await harness.endpoint(inbox.url)
  const caller = keyHolder(harness.applicationId)
  for (const type of eventTypeNames) await sendTestEvent(harness.silentDeps, caller, { endpointId, type })
  harness.startWorker()
  harness.tools.notifier.notify(WEBHOOKS_TOPIC)
  await inbox.arrived(eventTypeNames.length)
  const events = await Promise.all(
    inbox.received.map(({ headers, body }) => verifyWebhook(headers, body, SECRET)),
  )
  expect(events.map(({ type }) => type).toSorted()).toEqual([...eventTypeNames].toSorted())
  for (const event of events) expect([event.type, subjectOf(event)]).toEqual([event.type, expect.any(String)])
})

/** Returns the record of an event, by its id. This function compiles only if it has a case for each known type. */
function subjectOf(event: Event): string | UnknownEvent {
  switch (event.type) {
    case 'connection.created':
    case 'connection.completed':
    case 'connection.updated':
    case 'connection.first_sync_completed':
    case 'connection.disconnected':
    case 'connection.reconnected':
    case 'connection.pending_deletion':
    case 'connection.deleted':
      return event.detail.connection.token
    case 'sync.requested':
    case 'sync.started':
    case 'sync.completed':
    case 'sync.failed':
      return event.detail.sync.id
    case 'vehicle.added':
    case 'vehicle.modified':
    case 'vehicle.removed':
      return event.detail.vehicle.id
    case 'vehicle.location_updated':
      return event.detail.location.vehicle
    case 'driver.added':
    case 'driver.modified':
    case 'driver.removed':
      return event.detail.driver.id
    case 'safety.added':
    case 'safety_event.added':
    case 'safety.modified':
    case 'safety_event.modified':
    case 'safety.removed':
    case 'safety_event.removed':
      return event.detail.safetyEvent.vehicle
    case 'trip.removed':
      return event.detail.trip.vehicle
    case 'fault_code.removed':
      return event.detail.faultCodeEvent.code
    case 'hos_log.removed':
      return event.detail.hosLog.driver
    case 'hos_daily_log.removed':
      return event.detail.hosDailyLog.driver
    case 'issue.reported':
    case 'issue.resolved':
      return event.detail.issue.connection
    case 'unsupported_provider.requested':
      return event.detail.contactEmail
    case 'purchase.checked':
    case 'purchase.declined':
    case 'purchase.flagged':
    case 'purchase.reconciled':
      return event.detail.purchaseCheck.decision
    case 'webhook_endpoint.disabled':
      return event.detail.endpoint.url
    default:
      return event
  }
}

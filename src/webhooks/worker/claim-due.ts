import type { WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import { dueDeliveries, storedMessages, waitingDeliveries } from '../messages/due-deliveries.ts'
import type { Message } from '../messages/message.ts'
import type { InFlightDeliveries } from './in-flight-deliveries.ts'
import type { WorkerContext } from './worker-context.ts'

interface DueMessages {
  readonly messages: Message[]
  /** Whether more deliveries may be due than one read returns. */
  readonly hasMore: boolean
}

/** Claims the due deliveries of an endpoint (retried or released), and deliveries that wait for these. */
export async function claimDueDeliveries(
  context: WorkerContext,
  endpoint: WebhookEndpoint,
  inFlight: InFlightDeliveries,
): Promise<DueMessages> {
  const { db, payloadBuilder, clock } = context
  const limit = context.windowSize() + inFlight.claimedCount
  let hasMore = false
  const due = await inFlight.claim(async () => {
    const found = await dueDeliveries(db, endpoint.id, { now: clock.now(), limit })
    hasMore = found.length === limit
    return found
  })
  const resourceIds = endpoint.ordering === 'resource' ? resourcesOf(due) : []
  const waiting = await inFlight.claim(() =>
    waitingDeliveries(db, endpoint.id, resourceIds, context.windowSize()),
  )
  await context.connections.reload([...due, ...waiting].map(({ connectionId }) => connectionId))
  return { messages: await storedMessages(db, payloadBuilder, endpoint, [...due, ...waiting]), hasMore }
}

const resourcesOf = (deliveries: readonly WebhookDelivery[]): string[] => [
  ...new Set(deliveries.flatMap(({ resourceId }) => resourceId ?? [])),
]

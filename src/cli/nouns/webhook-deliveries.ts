import { recoverEndpoint } from '../../subgraphs/events/webhooks/deliveries/recover-endpoint.ts'
import { replayDelivery } from '../../subgraphs/events/webhooks/deliveries/replay.ts'
import { sendTestEvent } from '../../subgraphs/events/webhooks/deliveries/send-test-event.ts'
import type { DeliveryStatus, WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import { type Instant, toIso } from '../../time.ts'
import type { Cells } from '../output.ts'
import { Refused } from '../refused.ts'
import type { Tools } from '../tools.ts'
import { acting, iso, readsOf, type Whose } from './webhook-endpoints.ts'

export async function test(
  tools: Tools,
  { type, ...whose }: Whose & { readonly type: string },
  endpointId: string,
): Promise<void> {
  tools.output.one(cells(await sendTestEvent(...(await acting(tools, whose)), { endpointId, type })))
  tools.output.say(`What came of it: \`odograph webhooks deliveries ${endpointId}\`.`)
}

interface Listed extends Whose {
  readonly status?: DeliveryStatus
  readonly limit: number
}

export async function deliveries(
  tools: Tools,
  { status, limit, ...whose }: Listed,
  endpointId: string,
): Promise<void> {
  const reads = await readsOf(tools, whose)
  if (!(await reads.endpoint(endpointId)))
    throw new Refused(`there is no webhook endpoint ${endpointId} of ${whose.application}`)
  const { rows } = await reads.deliveriesOf(endpointId, { status: status ?? null, first: limit })
  tools.output.list(rows.map(cells))
}

export async function replay(tools: Tools, whose: Whose, deliveryId: string): Promise<void> {
  tools.output.one(cells(await replayDelivery(...(await acting(tools, whose)), { deliveryId })))
}

export async function recover(
  tools: Tools,
  { since, ...whose }: Whose & { readonly since: Instant },
  endpointId: string,
): Promise<void> {
  const { events } = await recoverEndpoint(...(await acting(tools, whose)), { endpointId, since })
  tools.output.one({ endpoint: endpointId, since: toIso(since), events })
}

const cells = (delivery: WebhookDelivery): Cells => ({
  id: delivery.id,
  event: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  lastStatusCode: delivery.lastStatusCode,
  lastAttemptAt: iso(delivery.lastAttemptAt),
  nextAttemptAt: iso(delivery.nextAttemptAt),
})

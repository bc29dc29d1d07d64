import { z } from 'zod'
import { nestedPageShape, pageInfo, mutationShape } from '../response/response-shape.ts'
import { oneOf, page } from '../request/query-params.ts'
import { webhookDelivery } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Webhooks'

export const listWebhookDeliveries = route({
  method: 'GET',
  path: '/webhook-endpoints/{id}/deliveries',
  summary: 'List deliveries of a webhook endpoint, newest first (an extension)',
  tag,
  auth: 'key',
  params: { id: 'webhookEndpoint' },
  query: z.object({ ...page, status: oneOf('pending', 'delivered', 'failed', 'cancelled') }),
  operation: `
    query ListWebhookDeliveries($id: ID!, $first: Int, $after: String, $status: WebhookDeliveryStatus) {
      webhookEndpoint(id: $id) {
        deliveries(first: $first, after: $after, status: $status) { nodes { ${webhookDelivery} } ${pageInfo} }
      }
    }`,
  response: nestedPageShape('webhookEndpoint', 'deliveries'),
})

export const replayWebhookDelivery = route({
  method: 'POST',
  path: '/webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
  summary: 'Replay a delivery (an extension)',
  tag,
  auth: 'key',
  params: { id: 'webhookEndpoint', deliveryId: 'webhookDelivery' },
  query: z.object({}),
  status: 202,
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation ReplayWebhookDelivery($id: ID!, $deliveryId: ID!) {
      replayDelivery(input: { deliveryId: $deliveryId, endpointId: $id }) { delivery { ${webhookDelivery} } }
    }`,
  response: mutationShape('replayDelivery', 'delivery'),
})

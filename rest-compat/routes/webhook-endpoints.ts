import { z } from 'zod'
import {
  computedShape,
  pageInfo,
  pageShape,
  recordShape,
  mutationShape,
  mutationWithShape,
} from '../response/response-shape.ts'
import { idOf, list, since, textMember, whole, word } from '../request/body-params.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { page } from '../request/query-params.ts'
import { webhookDelivery, webhookEndpoint } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Webhooks'

const number = z.number('Give a number.')
const wholeNumber = z.int('Give a whole number.')

/** Settings of an endpoint. GraphQL validates them. */
const members = {
  description: textMember.nullable().optional(),
  types: list(textMember).optional(),
  connectionIds: list(idOf('connection')).nullable().optional(),
  tags: list(textMember).nullable().optional(),
  ordering: word('none', 'resource').optional(),
  concurrency: wholeNumber.optional(),
  ratePerSecond: number.nullable().optional(),
  retrySeconds: list(wholeNumber).nullable().optional(),
}

const endpointRoute = {
  tag,
  headers: 'key',
  params: { id: 'webhookEndpoint' },
  query: z.object({}),
} as const

const fromPath = { endpointId: 'id' }

export const listWebhookEndpoints = route({
  method: 'GET',
  path: '/webhook-endpoints',
  summary: 'List webhook endpoints (an extension)',
  tag,
  headers: 'key',
  query: z.object(page),
  operation: `
    query ListWebhookEndpoints($first: Int, $after: String) {
      webhookEndpoints(first: $first, after: $after) { nodes { ${webhookEndpoint} } ${pageInfo} }
    }`,
  body: pageShape('webhookEndpoints'),
})

export const createWebhookEndpoint = route({
  method: 'POST',
  path: '/webhook-endpoints',
  summary: 'Create a webhook endpoint; only this response contains its secret (an extension)',
  tag,
  headers: 'key',
  query: z.object({}),
  members: whole({ url: textMember, ...members, secret: textMember.optional() }),
  status: 201,
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } secret }
    }`,
  body: mutationWithShape('createWebhookEndpoint', 'endpoint', 'secret'),
})

export const getWebhookEndpoint = route({
  ...endpointRoute,
  method: 'GET',
  path: '/webhook-endpoints/{id}',
  summary: 'Get one webhook endpoint (an extension)',
  operation: `query GetWebhookEndpoint($id: ID!) { webhookEndpoint(id: $id) { ${webhookEndpoint} } }`,
  body: recordShape('webhookEndpoint'),
})

export const updateWebhookEndpoint = route({
  ...endpointRoute,
  method: 'PATCH',
  path: '/webhook-endpoints/{id}',
  summary: 'Change a webhook endpoint (an extension)',
  members: whole({ url: textMember.optional(), ...members }),
  fromPath,
  operation: `
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
      updateWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } }
    }`,
  body: mutationShape('updateWebhookEndpoint', 'endpoint'),
})

export const deleteWebhookEndpoint = route({
  ...endpointRoute,
  method: 'DELETE',
  path: '/webhook-endpoints/{id}',
  summary: 'Delete a webhook endpoint (an extension)',
  operation: `
    mutation DeleteWebhookEndpoint($id: ID!) { deleteWebhookEndpoint(input: { endpointId: $id }) { endpointId } }`,
  body: computedShape(
    (data: { deleteWebhookEndpoint: { endpointId: string } }) => ({
      id: data.deleteWebhookEndpoint.endpointId,
    }),
    { type: 'object', properties: { id: idSchema('webhookEndpoint') }, required: ['id'] },
  ),
})

export const rotateWebhookSecret = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/rotate-secret',
  summary: 'Rotate the secret of a webhook endpoint; only this response contains it (an extension)',
  members: whole({ overlapSeconds: wholeNumber.optional(), secret: textMember.optional() }),
  fromPath,
  operation: `
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
      rotateWebhookSecret(input: $input) { endpoint { ${webhookEndpoint} } secret }
    }`,
  body: mutationWithShape('rotateWebhookSecret', 'endpoint', 'secret'),
})

export const testWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/test',
  summary: 'Send an example event of a type (an extension)',
  members: whole({ type: textMember }),
  fromPath,
  status: 202,
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation TestWebhookEndpoint($input: SendTestEventInput!) {
      sendTestEvent(input: $input) { delivery { ${webhookDelivery} } }
    }`,
  body: mutationShape('sendTestEvent', 'delivery'),
})

export const enableWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/enable',
  summary: 'Enable a webhook endpoint (an extension)',
  members: whole({ skipMissed: z.boolean('Give true or false.').optional() }),
  fromPath,
  operation: `
    mutation EnableWebhookEndpoint($input: EnableWebhookEndpointInput!) {
      enableWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } }
    }`,
  body: mutationShape('enableWebhookEndpoint', 'endpoint'),
})

export const disableWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/disable',
  summary: 'Disable a webhook endpoint (an extension)',
  operation: `
    mutation DisableWebhookEndpoint($id: ID!) {
      disableWebhookEndpoint(input: { endpointId: $id }) { endpoint { ${webhookEndpoint} } }
    }`,
  body: mutationShape('disableWebhookEndpoint', 'endpoint'),
})

export const recoverWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/recover',
  summary: 'Send missed events since a time (an extension)',
  members: whole({ since }),
  fromPath,
  status: 202,
  operation: `
    mutation RecoverWebhookEndpoint($input: RecoverWebhookEndpointInput!) {
      recoverWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } events }
    }`,
  body: mutationWithShape('recoverWebhookEndpoint', 'endpoint', 'events'),
})

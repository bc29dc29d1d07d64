import { z } from 'zod'
import {
  computedShape,
  pageInfo,
  pageShape,
  recordShape,
  mutationShape,
  mutationWithShape,
} from '../response/response-shape.ts'
import {
  idMember,
  list,
  dateOrDateTimeMember,
  textMember,
  strictObject,
  enumMember,
} from '../request/body-params.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { page } from '../request/query-params.ts'
import { webhookDelivery, webhookEndpoint } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Webhooks'

const number = z.number('Give a number.')
const wholeNumber = z.int('Give a whole number.')

/** Settings of an endpoint. The mutations validate their values. */
const endpointMembers = {
  description: textMember.nullable().optional(),
  types: list(textMember).optional(),
  connectionIds: list(idMember('connection')).nullable().optional(),
  tags: list(textMember).nullable().optional(),
  ordering: enumMember('none', 'resource').optional(),
  concurrency: wholeNumber.optional(),
  ratePerSecond: number.nullable().optional(),
  retrySeconds: list(wholeNumber).nullable().optional(),
  headers: list(strictObject({ name: textMember, value: textMember }))
    .nullable()
    .optional(),
}

const endpointRoute = {
  tag,
  auth: 'key',
  params: { id: 'webhookEndpoint' },
  query: z.object({}),
} as const

const fromPath = { endpointId: 'id' }

export const listWebhookEndpoints = route({
  method: 'GET',
  path: '/webhook-endpoints',
  summary: 'List webhook endpoints (an extension)',
  tag,
  auth: 'key',
  query: z.object(page),
  operation: `
    query ListWebhookEndpoints($first: Int, $after: String) {
      webhookEndpoints(first: $first, after: $after) { nodes { ${webhookEndpoint} } ${pageInfo} }
    }`,
  response: pageShape('webhookEndpoints'),
})

export const createWebhookEndpoint = route({
  method: 'POST',
  path: '/webhook-endpoints',
  summary: 'Create a webhook endpoint; only this response contains its secret (an extension)',
  tag,
  auth: 'key',
  query: z.object({}),
  requestBody: strictObject({ url: textMember, ...endpointMembers, secret: textMember.optional() }),
  status: 201,
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } secret }
    }`,
  response: mutationWithShape('createWebhookEndpoint', 'endpoint', 'secret'),
})

export const getWebhookEndpoint = route({
  ...endpointRoute,
  method: 'GET',
  path: '/webhook-endpoints/{id}',
  summary: 'Get one webhook endpoint (an extension)',
  operation: `query GetWebhookEndpoint($id: ID!) { webhookEndpoint(id: $id) { ${webhookEndpoint} } }`,
  response: recordShape('webhookEndpoint'),
})

export const updateWebhookEndpoint = route({
  ...endpointRoute,
  method: 'PATCH',
  path: '/webhook-endpoints/{id}',
  summary: 'Change a webhook endpoint (an extension)',
  requestBody: strictObject({ url: textMember.optional(), ...endpointMembers }),
  fromPath,
  operation: `
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
      updateWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } }
    }`,
  response: mutationShape('updateWebhookEndpoint', 'endpoint'),
})

export const deleteWebhookEndpoint = route({
  ...endpointRoute,
  method: 'DELETE',
  path: '/webhook-endpoints/{id}',
  summary: 'Delete a webhook endpoint (an extension)',
  operation: `
    mutation DeleteWebhookEndpoint($id: ID!) { deleteWebhookEndpoint(input: { endpointId: $id }) { endpointId } }`,
  response: computedShape(
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
  requestBody: strictObject({ overlapSeconds: wholeNumber.optional(), secret: textMember.optional() }),
  fromPath,
  operation: `
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
      rotateWebhookSecret(input: $input) { endpoint { ${webhookEndpoint} } secret }
    }`,
  response: mutationWithShape('rotateWebhookSecret', 'endpoint', 'secret'),
})

export const testWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/test',
  summary: 'Send an example event of a type (an extension)',
  requestBody: strictObject({ type: textMember }),
  fromPath,
  status: 202,
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation TestWebhookEndpoint($input: SendTestEventInput!) {
      sendTestEvent(input: $input) { delivery { ${webhookDelivery} } }
    }`,
  response: mutationShape('sendTestEvent', 'delivery'),
})

export const enableWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/enable',
  summary: 'Enable a webhook endpoint (an extension)',
  requestBody: strictObject({ skipMissed: z.boolean('Give true or false.').optional() }),
  fromPath,
  operation: `
    mutation EnableWebhookEndpoint($input: EnableWebhookEndpointInput!) {
      enableWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } }
    }`,
  response: mutationShape('enableWebhookEndpoint', 'endpoint'),
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
  response: mutationShape('disableWebhookEndpoint', 'endpoint'),
})

export const recoverWebhookEndpoint = route({
  ...endpointRoute,
  method: 'POST',
  path: '/webhook-endpoints/{id}/recover',
  summary: 'Send missed events since a time (an extension)',
  requestBody: strictObject({ since: dateOrDateTimeMember }),
  fromPath,
  status: 202,
  operation: `
    mutation RecoverWebhookEndpoint($input: RecoverWebhookEndpointInput!) {
      recoverWebhookEndpoint(input: $input) { endpoint { ${webhookEndpoint} } events }
    }`,
  response: mutationWithShape('recoverWebhookEndpoint', 'endpoint', 'events'),
})

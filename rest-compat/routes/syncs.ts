import { z } from 'zod'
import {
  type ResponseShape,
  computedShape,
  pageInfo,
  pageShape,
  recordShape,
  mutationShape,
} from '../response/response-shape.ts'
import { days, list, providerRequest, dateOrDateTimeMember, strictObject } from '../request/body-params.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { expand, oneOf, page } from '../request/query-params.ts'
import { sync, syncFields } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Syncs'

export const requestSync = route({
  method: 'POST',
  path: '/syncs',
  summary: 'Request a sync',
  tag,
  auth: 'connection',
  query: z.object({}),
  requestBody: strictObject({
    startFrom: dateOrDateTimeMember.optional(),
    days: days.optional(),
    providerRequests: list(providerRequest).optional(),
  }),
  status: 201,
  mayFailWith: ['conflict', 'unprocessable_entity', 'connection_disconnected'],
  operation: `
    mutation RequestSync($input: RequestSyncInput!) { requestSync(input: $input) { sync { ${syncFields} } } }`,
  response: mutationShape('requestSync', 'sync'),
})

export const listSyncHistory = route({
  method: 'GET',
  path: '/syncs',
  summary: 'List syncs, newest first',
  tag,
  auth: 'connection',
  query: z.object({
    ...page,
    status: oneOf('requested', 'in_progress', 'completed', 'failed'),
    expand: expand('issues'),
  }),
  operation: `
    query ListSyncHistory($first: Int, $after: String, $status: SyncStatus, $issues: Boolean!) {
      syncs(first: $first, after: $after, status: $status) { nodes { ${sync} } ${pageInfo} }
    }`,
  response: pageShape('syncs'),
})

export const getSyncJobStatus = route({
  method: 'GET',
  path: '/syncs/{id}',
  summary: 'Get one sync',
  tag,
  auth: 'connection',
  params: { id: 'sync' },
  query: z.object({ expand: expand('issues') }),
  operation: `query GetSyncJobStatus($id: ID!, $issues: Boolean!) { sync(id: $id) { ${sync} } }`,
  response: recordShape('sync'),
})

export const retrySync = route({
  method: 'POST',
  path: '/syncs/{id}/retry',
  summary: 'Run a failed sync again',
  tag,
  auth: 'connection',
  params: { id: 'sync' },
  query: z.object({}),
  mayFailWith: ['unprocessable_entity', 'connection_disconnected', 'conflict'],
  operation: `
    mutation RetrySync($id: ID!) { retrySync(input: { syncId: $id }) { sync { id } message } }`,
  response: idAndMessage('retrySync'),
})

export const cancelSync = route({
  method: 'POST',
  path: '/syncs/{id}/cancel',
  summary: 'Cancel a running sync',
  tag,
  auth: 'connection',
  params: { id: 'sync' },
  query: z.object({}),
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation CancelSync($id: ID!) { cancelSync(input: { syncId: $id }) { sync { id } message } }`,
  response: idAndMessage('cancelSync'),
})

interface Payload {
  readonly sync: { readonly id: string }
  readonly message: string
}

function idAndMessage(mutation: string): ResponseShape {
  const make = (data: Readonly<Record<string, Payload>>) => ({
    id: data[mutation]?.sync.id,
    message: data[mutation]?.message,
  })
  return computedShape(make, {
    type: 'object',
    properties: { id: idSchema('sync'), message: { type: 'string' } },
    required: ['id', 'message'],
  })
}

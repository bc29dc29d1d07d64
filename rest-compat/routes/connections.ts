import { z } from 'zod'
import {
  pageInfo,
  pageShape,
  recordShape,
  mutationShape,
  mutationWithShape,
} from '../response/response-shape.ts'
import {
  anyObject,
  company,
  dateTimeMember,
  days,
  visibilityFilters,
  list,
  dateOrDateTimeMember,
  syncMode,
  textMember,
  strictObject,
  enumMember,
} from '../request/body-params.ts'
import { dateTime, oneOf, page, text } from '../request/query-params.ts'
import { connection, currentConnection } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Connections'

/** Largest body: enough for filters with thousands of vehicle ids. */
const maxBodyBytes = 1024 * 1024

export const publicTokenExchange = route({
  method: 'POST',
  path: '/public-token/exchange',
  summary: 'Exchange a public token for its connection',
  tag,
  auth: 'key',
  query: z.object({}),
  requestBody: strictObject({
    publicToken: textMember.regex(/^pub_tkn_\S+$/, 'Give the public token of the link flow.'),
  }),
  mayFailWith: ['not_found'],
  operation: `
    mutation PublicTokenExchange($input: ExchangePublicTokenInput!) {
      exchangePublicToken(input: $input) { connection { ${connection} } }
    }`,
  response: mutationShape('exchangePublicToken', 'connection'),
})

export const listConnections = route({
  method: 'GET',
  path: '/connections',
  summary: 'List connections, oldest first',
  tag,
  auth: 'key',
  query: z.object({
    ...page,
    externalId: text,
    dotNumber: text,
    tag: text,
    updatedAfter: dateTime,
    updatedBefore: dateTime,
    status: oneOf('connected', 'disconnected', 'archived', 'pending_deletion', 'deleting', 'deleted'),
    provider: text,
    order: oneOf('asc', 'desc'),
  }),
  aliases: { tags: 'tag' },
  operation: `
    query ListConnections(
      $first: Int, $after: String, $externalId: String, $dotNumber: String, $tag: String, $updatedAfter: DateTime,
      $updatedBefore: DateTime, $status: ConnectionStatus, $provider: String, $order: Order! = ASC
    ) {
      connections(
        first: $first, after: $after, externalId: $externalId, dotNumber: $dotNumber, tag: $tag,
        updatedAfter: $updatedAfter, updatedBefore: $updatedBefore, status: $status, provider: $provider, order: $order
      ) { nodes { ${connection} } ${pageInfo} }
    }`,
  response: pageShape('connections'),
})

export const createConnection = route({
  method: 'POST',
  path: '/connections',
  summary: 'Link an account with its credentials (an extension)',
  tag,
  auth: 'key',
  query: z.object({}),
  requestBody: strictObject({
    provider: textMember,
    credentials: anyObject,
    company: company.optional(),
    options: anyObject.optional(),
    externalId: textMember.optional(),
    syncMode: syncMode.optional(),
    backfill: strictObject({ startFrom: dateOrDateTimeMember.optional(), days: days.optional() }).optional(),
    tags: list(textMember).optional(),
    agreements: list(
      strictObject({
        type: textMember.optional(),
        agreementUrl: textMember,
        ipAddress: textMember.optional(),
        acceptedAt: dateTimeMember.optional(),
        userAgent: textMember.optional(),
      }),
    ).optional(),
    filters: visibilityFilters.optional(),
  }),
  maxBodyBytes,
  status: 201,
  mayFailWith: ['conflict', 'unprocessable_entity', 'invalid_credentials', 'bad_gateway'],
  operation: `
    mutation CreateConnection($input: CreateConnectionInput!) {
      createConnection(input: $input) { connection { ${connection} } }
    }`,
  response: mutationShape('createConnection', 'connection'),
})

export const getCurrentConnection = route({
  method: 'GET',
  path: '/connections/current',
  summary: 'Get the connection of the token',
  tag,
  auth: 'connection',
  query: z.object({}),
  operation: `query GetCurrentConnection { connection { ${currentConnection} } }`,
  response: recordShape('connection'),
})

export const updateCurrentConnection = route({
  method: 'PATCH',
  path: '/connections/current',
  summary: 'Change or archive the connection of the token',
  tag,
  auth: 'connection',
  query: z.object({}),
  requestBody: strictObject({
    status: enumMember('connected', 'archived', 'disconnected').optional(),
    options: anyObject.optional(),
    company: company.optional(),
    externalId: textMember.nullable().optional(),
    syncMode: syncMode.optional(),
    tags: list(textMember).optional(),
    filters: visibilityFilters.nullable().optional(),
  }),
  mayFailWith: ['unprocessable_entity', 'invalid_credentials', 'bad_gateway', 'gateway_timeout'],
  operation: `
    mutation UpdateCurrentConnection($input: UpdateConnectionInput!) {
      updateConnection(input: $input) { connection { ${connection} } }
    }`,
  response: mutationShape('updateConnection', 'connection'),
})

export const deleteCurrentConnection = route({
  method: 'DELETE',
  path: '/connections/current',
  summary: 'Mark the connection of the token for deletion',
  tag,
  auth: 'connection',
  query: z.object({}),
  status: 202,
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation DeleteCurrentConnection {
      deleteConnection(input: {}) { connection { ${connection} } message }
    }`,
  response: mutationWithShape('deleteConnection', 'connection', 'message'),
})

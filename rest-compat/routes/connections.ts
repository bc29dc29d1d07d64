import { z } from 'zod'
import { pageInfo, pageOf, recordOf } from '../body.ts'
import { dateTime, oneOf, page, text } from '../query.ts'
import { connection, currentConnection } from '../records.ts'
import { route } from '../route.ts'

export const listConnections = route({
  method: 'GET',
  path: '/connections',
  headers: 'key',
  query: z.object({
    ...page,
    externalId: text,
    dotNumber: text,
    tag: text,
    updatedAfter: dateTime,
    updatedBefore: dateTime,
    status: oneOf('connected', 'disconnected', 'archived', 'pending_deletion', 'deleting', 'deleted'),
    provider: text,
  }),
  aliases: { tags: 'tag' },
  operation: `
    query ListConnections(
      $first: Int, $after: String, $externalId: String, $dotNumber: String, $tag: String,
      $updatedAfter: DateTime, $updatedBefore: DateTime, $status: ConnectionStatus, $provider: String
    ) {
      connections(
        first: $first, after: $after, externalId: $externalId, dotNumber: $dotNumber, tag: $tag,
        updatedAfter: $updatedAfter, updatedBefore: $updatedBefore, status: $status, provider: $provider
      ) { nodes { ${connection} } ${pageInfo} }
    }`,
  body: pageOf('connections'),
})

export const getCurrentConnection = route({
  method: 'GET',
  path: '/connections/current',
  headers: 'connection',
  query: z.object({}),
  operation: `query GetCurrentConnection { connection { ${currentConnection} } }`,
  body: recordOf('connection'),
})

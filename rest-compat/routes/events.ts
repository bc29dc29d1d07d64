import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { publishAs } from '../openapi/param-overrides.ts'
import { id, ids, page, texts } from '../request/query-params.ts'
import { route } from '../route.ts'

export const listEvents = route({
  method: 'GET',
  path: '/events',
  summary: 'List the event log, oldest first (an extension)',
  tag: 'Events',
  auth: 'either',
  query: z.object({
    after: publishAs(
      id('event'),
      idSchema('event'),
      'The id of the last event seen, or the `next` of a page. Without it, the list starts with the oldest event.',
    ),
    limit: page.limit,
    types: texts,
    connectionIds: ids('connection'),
  }),
  // Like on other lists, clients can send `next` as `cursor`. It is the id of the last event of the page.
  aliases: { cursor: 'after' },
  mayFailWith: ['gone'],
  operation: `
    query ListEvents($first: Int, $after: ID, $types: [String!], $connectionIds: [ID!]) {
      events(first: $first, after: $after, types: $types, connectionIds: $connectionIds) {
        nodes { id type timestamp detail } ${pageInfo}
      }
    }`,
  response: pageShape('events'),
})

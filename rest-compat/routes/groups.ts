import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { expand, flag, modified, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'

export const listGroups = route({
  method: 'GET',
  path: '/groups',
  summary: 'List groups',
  tag: 'Groups',
  auth: 'connection',
  query: z.object({ ...page, ...modified, raw, deleted: flag(), expand: expand('parent') }),
  operation: `
    query ListGroups(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $deleted: Boolean!, $raw: Boolean!, $parent: Boolean!
    ) {
      groups(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore, deleted: $deleted
      ) { nodes { ...Group } ${pageInfo} }
    }`,
  response: pageShape('groups'),
})

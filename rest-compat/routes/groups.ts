import { z } from 'zod'
import { pageInfo, pageOf } from '../body.ts'
import { expand, flag, modified, page, raw } from '../query.ts'
import { group } from '../records.ts'
import { route } from '../route.ts'

export const listGroups = route({
  method: 'GET',
  path: '/groups',
  summary: 'List groups',
  tag: 'Groups',
  headers: 'connection',
  query: z.object({ ...page, ...modified, raw, deleted: flag(), expand: expand('parent') }),
  operation: `
    query ListGroups(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $deleted: Boolean!, $raw: Boolean!, $parent: Boolean!
    ) {
      groups(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore, deleted: $deleted
      ) { nodes { ${group} } ${pageInfo} }
    }`,
  body: pageOf('groups'),
})

import { z } from 'zod'
import { pageInfo, pageOf } from '../body.ts'
import { expand, flag, modified, page } from '../query.ts'
import { driver } from '../records.ts'
import { route } from '../route.ts'

export const listDrivers = route({
  method: 'GET',
  path: '/drivers',
  headers: 'connection',
  // @gap 3.4: `hidden` is taken, and shows no more until connections have filters.
  query: z.object({ ...page, ...modified, raw: flag, hidden: flag, deleted: flag, expand: expand('groups') }),
  operation: `
    query ListDrivers(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime, $deleted: Boolean!,
      $raw: Boolean!, $groups: Boolean!
    ) {
      drivers(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore, deleted: $deleted
      ) { nodes { ${driver} } ${pageInfo} }
    }`,
  body: pageOf('drivers'),
})

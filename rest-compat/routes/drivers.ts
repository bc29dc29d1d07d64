import { z } from 'zod'
import { pageInfo, pageShape, recordShape } from '../response/response-shape.ts'
import { expand, flag, modified, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'

const tag = 'Drivers'

export const listDrivers = route({
  method: 'GET',
  path: '/drivers',
  summary: 'List drivers',
  tag,
  auth: 'connection',
  query: z.object({ ...page, ...modified, raw, hidden: flag(), deleted: flag(), expand: expand('groups') }),
  operation: `
    query ListDrivers(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $deleted: Boolean!, $hidden: Boolean!, $raw: Boolean!, $groups: Boolean!
    ) {
      drivers(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        deleted: $deleted, hidden: $hidden
      ) { nodes { ...Driver } ${pageInfo} }
    }`,
  response: pageShape('drivers'),
})

export const getDriver = route({
  method: 'GET',
  path: '/drivers/{id}',
  summary: 'Get one driver',
  tag,
  auth: 'connection',
  params: { id: 'driver' },
  query: z.object({ raw, expand: expand('groups') }),
  operation: `
    query GetDriver($id: ID!, $raw: Boolean!, $groups: Boolean!) { driver(id: $id) { ...Driver } }`,
  response: recordShape('driver'),
})

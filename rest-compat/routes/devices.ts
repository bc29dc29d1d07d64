import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { expand, flag, modified, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'

export const listDevices = route({
  method: 'GET',
  path: '/devices',
  summary: 'List devices',
  tag: 'Devices',
  auth: 'connection',
  query: z.object({ ...page, ...modified, raw, deleted: flag(), expand: expand('vehicle') }),
  operation: `
    query ListDevices(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $deleted: Boolean!, $raw: Boolean!, $vehicle: Boolean!
    ) {
      devices(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore, deleted: $deleted
      ) { nodes { ...Device } ${pageInfo} }
    }`,
  response: pageShape('devices'),
})

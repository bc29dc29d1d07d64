import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import {
  dateTime,
  expand,
  flag,
  ids,
  modified,
  startNotAfterEnd,
  page,
  raw,
} from '../request/query-params.ts'
import { route } from '../route.ts'

export const listFaultCodeEvents = route({
  method: 'GET',
  path: '/fault-codes/events',
  summary: 'List fault codes',
  tag: 'Fault Codes',
  auth: 'connection',
  query: z
    .object({
      ...page,
      ...modified,
      startAt: dateTime,
      endAt: dateTime,
      vehicleIds: ids('vehicle'),
      raw,
      deleted: flag(),
      expand: expand('vehicle'),
    })
    .check(startNotAfterEnd('startAt', 'endAt')),
  operation: `
    query ListFaultCodeEvents(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $startAt: DateTime, $endAt: DateTime, $vehicleIds: [ID!], $deleted: Boolean!,
      $raw: Boolean!, $vehicle: Boolean!
    ) {
      faultCodeEvents(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        deleted: $deleted, startAt: $startAt, endAt: $endAt, vehicleIds: $vehicleIds
      ) { nodes { ...FaultCodeEvent } ${pageInfo} }
    }`,
  response: pageShape('faultCodeEvents'),
})

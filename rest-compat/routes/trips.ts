import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { dateTime, expand, flag, ids, modified, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'

export const listTrips = route({
  method: 'GET',
  path: '/trips',
  summary: 'List trips',
  tag: 'Trips',
  auth: 'connection',
  query: z.object({
    ...page,
    ...modified,
    startedAfter: dateTime,
    startedBefore: dateTime,
    endedAfter: dateTime,
    endedBefore: dateTime,
    driverIds: ids('driver'),
    vehicleIds: ids('vehicle'),
    raw,
    deleted: flag(),
    expand: expand('vehicle', 'driver'),
  }),
  operation: `
    query ListTrips(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $startedAfter: DateTime, $startedBefore: DateTime, $endedAfter: DateTime, $endedBefore: DateTime,
      $vehicleIds: [ID!], $driverIds: [ID!], $deleted: Boolean!,
      $raw: Boolean!, $vehicle: Boolean!, $driver: Boolean!
    ) {
      trips(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        deleted: $deleted, startedAfter: $startedAfter, startedBefore: $startedBefore,
        endedAfter: $endedAfter, endedBefore: $endedBefore, vehicleIds: $vehicleIds, driverIds: $driverIds
      ) { nodes { ...Trip } ${pageInfo} }
    }`,
  response: pageShape('trips'),
})

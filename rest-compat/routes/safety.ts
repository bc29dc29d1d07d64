import { z } from 'zod'
import { pageInfo, pageShape, recordShape } from '../response/response-shape.ts'
import { dateTime, expand, flag, ids, modified, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'
import { optionalProviderCallErrors } from './provider-call-errors.ts'

const tag = 'Safety'

export const listSafetyEvents = route({
  method: 'GET',
  path: '/safety/events',
  summary: 'List safety events',
  tag,
  auth: 'connection',
  query: z.object({
    ...page,
    ...modified,
    startedAfter: dateTime,
    startedBefore: dateTime,
    driverIds: ids('driver'),
    vehicleIds: ids('vehicle'),
    raw,
    deleted: flag(),
    expand: expand('vehicle', 'driver'),
  }),
  operation: `
    query ListSafetyEvents(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $startedAfter: DateTime, $startedBefore: DateTime, $vehicleIds: [ID!], $driverIds: [ID!],
      $deleted: Boolean!, $raw: Boolean!, $vehicle: Boolean!, $driver: Boolean!
    ) {
      safetyEvents(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        deleted: $deleted, startedAfter: $startedAfter, startedBefore: $startedBefore,
        vehicleIds: $vehicleIds, driverIds: $driverIds
      ) { nodes { ...SafetyEvent } ${pageInfo} }
    }`,
  response: pageShape('safetyEvents'),
})

export const getSafetyEvent = route({
  method: 'GET',
  path: '/safety/events/{id}',
  summary: 'Get one safety event',
  tag,
  auth: 'connection',
  params: { id: 'safetyEvent' },
  query: z.object({ raw, expand: expand('vehicle', 'driver') }),
  operation: `
    query GetSafetyEvent($id: ID!, $raw: Boolean!, $vehicle: Boolean!, $driver: Boolean!) {
      safetyEvent(id: $id) { ...SafetyEvent }
    }`,
  response: recordShape('safetyEvent'),
})

export const getEventCameraMedia = route({
  method: 'GET',
  path: '/safety/events/{id}/camera-media',
  summary: 'Get the recordings of a safety event',
  tag,
  auth: 'connection',
  params: { id: 'safetyEvent' },
  query: z.object({ raw }),
  mayFailWith: optionalProviderCallErrors,
  operation: `
    query GetEventCameraMedia($id: ID!, $raw: Boolean!) { cameraMedia(safetyEventId: $id) { ...CameraMedia } }`,
  response: recordShape('cameraMedia'),
})

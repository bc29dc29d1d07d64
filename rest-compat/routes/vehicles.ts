import { z } from 'zod'
import { pageInfo, pageOf, recordOf } from '../body.ts'
import { expand, flag, ids, modified, page } from '../query.ts'
import { latestVehicleLocation, vehicle } from '../records.ts'
import { route } from '../route.ts'

export const listVehicles = route({
  method: 'GET',
  path: '/vehicles',
  headers: 'connection',
  // @gap 3.4: `hidden` is taken, and shows no more until connections have filters.
  query: z.object({
    ...page,
    ...modified,
    raw: flag,
    hidden: flag,
    deleted: flag,
    expand: expand('groups', 'devices'),
  }),
  operation: `
    query ListVehicles(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime, $deleted: Boolean!,
      $raw: Boolean!, $groups: Boolean!, $devices: Boolean!
    ) {
      vehicles(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore, deleted: $deleted
      ) { nodes { ${vehicle} } ${pageInfo} }
    }`,
  body: pageOf('vehicles'),
})

export const getVehicle = route({
  method: 'GET',
  path: '/vehicles/{id}',
  headers: 'connection',
  params: { id: 'vehicle' },
  query: z.object({ raw: flag, expand: expand('groups', 'devices') }),
  operation: `
    query GetVehicle($id: ID!, $raw: Boolean!, $groups: Boolean!, $devices: Boolean!) {
      vehicle(id: $id) { ${vehicle} }
    }`,
  body: recordOf('vehicle'),
})

export const listVehicleLocations = route({
  method: 'GET',
  path: '/vehicles/locations',
  headers: 'connection',
  query: z.object({
    ...page,
    raw: flag,
    vehicleIds: ids('vehicle'),
    driverIds: ids('driver'),
    expand: expand('vehicle', 'driver'),
  }),
  operation: `
    query ListVehicleLocations(
      $first: Int, $after: String, $vehicleIds: [ID!], $driverIds: [ID!], $vehicle: Boolean!, $driver: Boolean!
    ) {
      vehicleLocations(first: $first, after: $after, vehicleIds: $vehicleIds, driverIds: $driverIds) {
        nodes { ${latestVehicleLocation} } ${pageInfo}
      }
    }`,
  body: pageOf('vehicleLocations'),
})

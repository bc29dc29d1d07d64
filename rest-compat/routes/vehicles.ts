import { z } from 'zod'
import { nestedPageShape, pageInfo, pageShape, recordShape } from '../response/response-shape.ts'
import {
  date,
  dateTime,
  expand,
  flag,
  ids,
  enumListParameter,
  modified,
  startNotAfterEnd,
  page,
  raw,
  seriesPage,
} from '../request/query-params.ts'
import { route } from '../route.ts'
import { optionalProviderCallErrors } from './provider-call-errors.ts'

const tag = 'Vehicles'

export const listVehicles = route({
  method: 'GET',
  path: '/vehicles',
  summary: 'List vehicles',
  tag,
  auth: 'connection',
  query: z.object({
    ...page,
    ...modified,
    raw,
    hidden: flag(),
    deleted: flag(),
    expand: expand('groups', 'devices'),
  }),
  operation: `
    query ListVehicles(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $deleted: Boolean!, $hidden: Boolean!, $raw: Boolean!, $groups: Boolean!, $devices: Boolean!
    ) {
      vehicles(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        deleted: $deleted, hidden: $hidden
      ) { nodes { ...Vehicle } ${pageInfo} }
    }`,
  response: pageShape('vehicles'),
})

export const getVehicle = route({
  method: 'GET',
  path: '/vehicles/{id}',
  summary: 'Get one vehicle',
  tag,
  auth: 'connection',
  params: { id: 'vehicle' },
  query: z.object({ raw, expand: expand('groups', 'devices') }),
  operation: `
    query GetVehicle($id: ID!, $raw: Boolean!, $groups: Boolean!, $devices: Boolean!) {
      vehicle(id: $id) { ...Vehicle }
    }`,
  response: recordShape('vehicle'),
})

export const listLatestVehicleLocations = route({
  method: 'GET',
  path: '/vehicles/locations',
  summary: 'List current locations of vehicles',
  tag,
  auth: 'connection',
  query: z.object({
    ...page,
    raw,
    vehicleIds: ids('vehicle'),
    driverIds: ids('driver'),
    expand: expand('vehicle', 'driver'),
  }),
  mayFailWith: optionalProviderCallErrors,
  operation: `
    query ListLatestVehicleLocations(
      $first: Int, $after: String, $vehicleIds: [ID!], $driverIds: [ID!],
      $raw: Boolean!, $vehicle: Boolean!, $driver: Boolean!
    ) {
      vehicleLocations(first: $first, after: $after, vehicleIds: $vehicleIds, driverIds: $driverIds) {
        nodes { ...LatestVehicleLocation } ${pageInfo}
      }
    }`,
  response: pageShape('vehicleLocations'),
})

export const listHistoricalVehicleLocations = route({
  method: 'GET',
  path: '/vehicles/{id}/locations',
  summary: "List a vehicle's past locations",
  tag,
  auth: 'connection',
  params: { id: 'vehicle' },
  query: z
    .object({ ...seriesPage, startAt: dateTime, endAt: dateTime, raw })
    .check(startNotAfterEnd('startAt', 'endAt')),
  operation: `
    query ListHistoricalVehicleLocations(
      $id: ID!, $first: Int, $after: String, $startAt: DateTime, $endAt: DateTime, $raw: Boolean!
    ) {
      vehicle(id: $id) {
        locations(first: $first, after: $after, startAt: $startAt, endAt: $endAt) {
          nodes { ...VehicleLocation } ${pageInfo}
        }
      }
    }`,
  response: nestedPageShape('vehicle', 'locations'),
})

const statTypes = [
  'engine_state',
  'odometer',
  'total_fuel_consumption',
  'fuel_level',
  'engine_runtime',
  'engine_rpm',
  'engine_oil_percentage',
  'engine_oil_pressure',
  'engine_oil_temperature',
  'engine_coolant_temperature',
  'coolant_percentage',
  'battery_voltage',
] as const

export const listHistoricalVehicleStats = route({
  method: 'GET',
  path: '/vehicles/{id}/stats/historical',
  summary: "List a vehicle's past measurements",
  tag,
  auth: 'connection',
  params: { id: 'vehicle' },
  query: z
    .object({
      ...seriesPage,
      startAt: dateTime,
      endAt: dateTime,
      types: enumListParameter(...statTypes),
      raw,
      expand: expand('vehicle'),
    })
    .check(startNotAfterEnd('startAt', 'endAt')),
  operation: `
    query ListHistoricalVehicleStats(
      $id: ID!, $first: Int, $after: String, $startAt: DateTime, $endAt: DateTime, $types: [VehicleStatType!],
      $raw: Boolean!, $vehicle: Boolean!
    ) {
      vehicle(id: $id) {
        stats(first: $first, after: $after, startAt: $startAt, endAt: $endAt, types: $types) {
          nodes { ...VehicleStatLog } ${pageInfo}
        }
      }
    }`,
  response: nestedPageShape('vehicle', 'stats'),
})

export const getVehicleUtilization = route({
  method: 'GET',
  path: '/vehicles/utilization',
  summary: 'Sum distance, fuel and engine time of each vehicle over a period',
  tag,
  auth: 'connection',
  query: z
    .object({
      ...page,
      startDate: date,
      endDate: date,
      ...modified,
      vehicleIds: ids('vehicle'),
      raw,
      expand: expand('vehicle'),
    })
    .check(startNotAfterEnd('startDate', 'endDate')),
  aliases: { startDay: 'startDate', endDay: 'endDate' },
  operation: `
    query GetVehicleUtilization(
      $first: Int, $after: String, $startDate: Date, $endDate: Date, $modifiedAfter: DateTime,
      $modifiedBefore: DateTime, $vehicleIds: [ID!], $raw: Boolean!, $vehicle: Boolean!
    ) {
      vehicleUtilization(
        first: $first, after: $after, startDate: $startDate, endDate: $endDate, modifiedAfter: $modifiedAfter,
        modifiedBefore: $modifiedBefore, vehicleIds: $vehicleIds
      ) { nodes { ...VehicleUtilization } ${pageInfo} }
    }`,
  response: pageShape('vehicleUtilization'),
})

import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import {
  date,
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
import { optionalProviderCallErrors } from './provider-call-errors.ts'

const tag = 'Hours of Service'

export const listHosLogs = route({
  method: 'GET',
  path: '/hos/logs',
  summary: 'List changes of duty status',
  tag,
  auth: 'connection',
  query: z.object({
    ...page,
    startedAfter: dateTime,
    startedBefore: dateTime,
    ...modified,
    driverIds: ids('driver'),
    raw,
    deleted: flag(),
    expand: expand('driver', 'vehicle', 'codrivers'),
  }),
  operation: `
    query ListHOSLogs(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $startedAfter: DateTime, $startedBefore: DateTime, $driverIds: [ID!],
      $deleted: Boolean!, $raw: Boolean!, $driver: Boolean!, $vehicle: Boolean!, $codrivers: Boolean!
    ) {
      hosLogs(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        deleted: $deleted, startedAfter: $startedAfter, startedBefore: $startedBefore, driverIds: $driverIds
      ) { nodes { ...HosLog } ${pageInfo} }
    }`,
  response: pageShape('hosLogs'),
})

export const listHosDailyLogs = route({
  method: 'GET',
  path: '/hos/daily-logs',
  summary: 'List daily logs of drivers',
  tag,
  auth: 'connection',
  query: z
    .object({
      ...page,
      startDate: date,
      endDate: date,
      ...modified,
      driverIds: ids('driver'),
      raw,
      deleted: flag(),
      expand: expand('driver'),
    })
    .check(startNotAfterEnd('startDate', 'endDate')),
  aliases: { startDay: 'startDate', endDay: 'endDate' },
  operation: `
    query ListHOSDailyLogs(
      $first: Int, $after: String, $startDate: Date, $endDate: Date, $modifiedAfter: DateTime,
      $modifiedBefore: DateTime, $driverIds: [ID!], $deleted: Boolean!, $raw: Boolean!, $driver: Boolean!
    ) {
      hosDailyLogs(
        first: $first, after: $after, startDate: $startDate, endDate: $endDate, modifiedAfter: $modifiedAfter,
        modifiedBefore: $modifiedBefore, deleted: $deleted, driverIds: $driverIds
      ) { nodes { ...HosDailyLog } ${pageInfo} }
    }`,
  response: pageShape('hosDailyLogs'),
})

export const listHosAvailableTime = route({
  method: 'GET',
  path: '/hos/available-time',
  summary: 'List the available time of drivers',
  tag,
  auth: 'connection',
  query: z.object({ ...page, driverIds: ids('driver'), raw, expand: expand('driver') }),
  mayFailWith: optionalProviderCallErrors,
  operation: `
    query ListHOSAvailableTime(
      $first: Int, $after: String, $driverIds: [ID!], $raw: Boolean!, $driver: Boolean!
    ) {
      hosAvailableTimes(first: $first, after: $after, driverIds: $driverIds) {
        nodes { ...HosAvailableTime } ${pageInfo}
      }
    }`,
  response: pageShape('hosAvailableTimes'),
})

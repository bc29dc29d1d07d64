import { unknownId } from '../../factories.ts'
import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

const RAW = 'raw { provider schema extractedAt data }'

/** Trailers, hours of service, issues, and the extra fields of safety events. */
export const records = ({ a }: SeededFleets): Case[] => {
  const [first] = a.connections
  const { trailers, drivers, hosLogs, hosDailyLogs, safetyEvents, groups, devices, issues } = first!
  return [
    [
      'trailers with everything',
      `{ trailers(deleted: true) { totalCount nodes { id sourceId provider status name vin serialNumber make model year licensePlate { state number }
         groups { id name parent { name } } createdAt updatedAt metadata { addedAt modifiedAt deletedAt visibility } ${RAW}
         latestLocation { provider locatedAt location { longitude latitude } address { formatted } heading speed ${RAW} trailer { id name } } } } }`,
    ],
    [
      'latest locations of trailers',
      `{ trailerLocations { totalCount nodes { provider locatedAt heading speed location { latitude } address { formatted } ${RAW} trailer { name status groups { name } latestLocation { speed trailer { id } } } } } }`,
    ],
    ['latest locations of trailers by id', '{ trailerLocations { nodes { trailer { id __typename } } } }'],
    [
      'a trailer, a group and a device by their ids',
      `{ trailer(id: "${trailers[2]!.id}") { name metadata { visibility deletedAt } latestLocation { speed } } none: trailer(id: "${unknownId('trailer')}") { name }
         group(id: "${groups[1]!.id}") { name parent { id name } ${RAW} } device(id: "${devices[0]!.id}") { serialNumber vehicle { name } ${RAW} } lost: device(id: "${devices[4]!.id}") { vehicle { id name } } }`,
    ],
    [
      'hours of service with everything',
      `{ hosLogs { totalCount nodes { id sourceId provider status startedAt endedAt location { longitude latitude } remarks { notes sourceId submittedAt }
         driver { id firstName } vehicle { id name latestLocation { speed } } codrivers { id firstName lastName status } metadata { addedAt modifiedAt } ${RAW} } } }`,
    ],
    ['codrivers by id', '{ hosLogs { nodes { codrivers { id __typename } } } }'],
    ['codrivers with required fields', '{ hosLogs { nodes { codrivers { status metadata { addedAt } } } } }'],
    [
      'codrivers with fields of others alone',
      '{ hosLogs { nodes { codrivers { hosLogs(first: 1) { nodes { status } } trips { totalCount } } } } }',
    ],
    [
      'codrivers with fields of the owner and of others',
      '{ hosLogs { nodes { codrivers { firstName groups { name } hosAvailableTime { currentStatus } trips(first: 1) { nodes { id } } } } } }',
    ],
    [
      'days with everything',
      `{ hosDailyLogs { totalCount nodes { id sourceId provider date driver { firstName }
         statusDurations { onDuty offDuty driving waiting sleeperBed personalConveyance yardMove }
         distances { total driving personalConveyance yardMove } metadata { addedAt modifiedAt } ${RAW} } } }`,
    ],
    [
      'clocks with everything',
      `{ hosAvailableTimes { totalCount nodes { provider currentStatus availableTime { cycle shift drive break } driver { firstName hosLogs { totalCount } } ${RAW} } } }`,
    ],
    [
      'drivers with their hours',
      `{ drivers(hidden: true) { nodes { middleName username hosAvailableTime { currentStatus availableTime { drive } driver { id firstName } } hosLogs(first: 1) { totalCount nodes { status } pageInfo { hasNextPage } }
         hosDailyLogs(last: 1) { totalCount nodes { date distances { total } } } metadata { visibility } } } }`,
    ],
    [
      'records of hours by their ids',
      `{ hosLog(id: "${hosLogs[5]!.id}") { status driver { firstName } } hosDailyLog(id: "${hosDailyLogs[0]!.id}") { date } none: hosLog(id: "${unknownId('hosLog')}") { id } other: hosDailyLog(id: "${unknownId('hosDailyLog')}") { id } }`,
    ],
    [
      'filters of hours',
      `query ($ids: [ID!]) { hosLogs(driverIds: $ids, startedAfter: "2026-01-30T12:00:00Z", startedBefore: "2026-01-31T12:00:00Z") { nodes { status } }
         hosDailyLogs(driverIds: $ids, startDate: "2026-01-29", endDate: "2026-01-29") { nodes { date } } byChange: hosLogs(modifiedAfter: "2026-01-31T00:00:00Z") { totalCount nodes { id } }
         hosAvailableTimes(driverIds: $ids) { nodes { currentStatus } } }`,
      { variables: { ids: [drivers[0]!.id, unknownId('driver')] } },
    ],
    [
      'removed records',
      `{ trips(deleted: true) { totalCount nodes { id metadata { modifiedAt deletedAt } } } hosLogs(deleted: true) { nodes { id metadata { deletedAt } } }
         vehicles { nodes { safetyEvents(deleted: true) { totalCount nodes { id } } faultCodeEvents(deleted: true) { nodes { id metadata { deletedAt } } } } } drivers { nodes { hosDailyLogs(deleted: true) { nodes { date metadata { deletedAt } } } } } }`,
    ],
    [
      'dates as variables',
      `query ($from: Date, $to: Date = "2026-01-29") { hosDailyLogs(startDate: $from, endDate: $to) { nodes { date } } drivers { nodes { hosDailyLogs(startDate: $from) { nodes { date } } } } }`,
      { variables: { from: '2026-01-29' } },
    ],
    [
      'safety events with their cameras',
      `{ safetyEvents { totalCount nodes { endLocation { longitude latitude } startLocation { latitude } cameraMedia { frontFacing { sourceId available } rearFacing { sourceId available } } extensions } } }`,
    ],
    [
      'films of safety events',
      `{ cameraMedia(safetyEventId: "${safetyEvents[0]!.id}") { frontFacing { sourceId videoUrl } rearFacing { sourceId videoUrl } raw { provider schema data } } none: cameraMedia(safetyEventId: "${unknownId('safetyEvent')}") { frontFacing { videoUrl } } }`,
    ],
    [
      'issues and their syncs',
      `{ issues { totalCount nodes { id status error { code message } firstReportedAt lastReportedAt resolutionType documentationUrl connection { id status } } } issue(id: "${issues[0]!.id}") { status }
         syncs { totalCount nodes { status providerRequests issues { id error { code } connection { id } } } } ongoing: issues(status: ONGOING, errorCode: PERMISSION_MISSING, connectionId: "${first!.connection.id}") { nodes { id } } }`,
    ],
    [
      'newest connections first',
      '{ connections(order: DESC) { totalCount nodes { id trailers(deleted: true) { totalCount nodes { name } } timeZone deletedAt } } }',
    ],
  ]
}

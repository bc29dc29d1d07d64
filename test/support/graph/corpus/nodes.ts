import { unknownId } from '../../factories.ts'
import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

export const nodes = ({ a, b }: SeededFleets): Case[] => {
  const [first] = a.connections
  const [foreign] = b.connections
  const { groups, drivers, vehicles, devices, trips, safetyEvents, syncs, connection, events } = first!
  const { trailers, hosLogs, hosDailyLogs, faultCodeEvents, issues } = first!
  const kinds = [
    connection,
    syncs[0]!,
    groups[0]!,
    drivers[0]!,
    vehicles[0]!,
    devices[0]!,
    trips[0]!,
    safetyEvents[0]!,
    trailers[0]!,
    hosLogs[0]!,
    hosDailyLogs[0]!,
    faultCodeEvents[0]!,
    faultCodeEvents[1]!,
    issues[0]!,
  ]
  const every =
    '... on Trailer { name latestLocation { heading } } ... on HosLog { worked: status codrivers { firstName } } ... on HosDailyLog { date driver { lastName } } ... on FaultCodeEvent { code vehicle { name } } ... on Issue { error { code } } __typename id ... on Vehicle { name latestLocation { speed } } ... on Driver { firstName } ... on Group { name } ... on Device { type vehicle { name } } ... on Trip { distance vehicle { name } } ... on SafetyEvent { kind: type driver { firstName } } ... on Sync { status progress connection { id } } ... on Connection { state: status tags vehicles(first: 1) { nodes { name } } }'
  const ids = [
    ...kinds.map(({ id }) => id),
    vehicles[2]!.id,
    vehicles[0]!.id,
    unknownId('vehicle'),
    unknownId('trip'),
    foreign!.vehicles[0]!.id,
    foreign!.connection.id,
    foreign!.trips[0]!.id,
  ]
  return [
    [
      'nodes of every kind and none',
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ${every} } }`,
      { variables: { ids } },
    ],
    [
      'nodes by id alone',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }',
      { variables: { ids } },
    ],
    [
      'nodes of one type among many',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Vehicle { name } } }',
      { variables: { ids } },
    ],
    ...kinds.map(({ id }, at): Case => [
      `node of kind ${at}`,
      `query ($id: ID!) { node(id: $id) { ${every} } }`,
      { variables: { id } },
    ]),
    [
      'node of an unknown id',
      `query ($id: ID!) { node(id: $id) { ${every} } }`,
      { variables: { id: unknownId('driver') } },
    ],
    [
      'node of a foreign id',
      `query ($id: ID!) { node(id: $id) { ${every} } }`,
      { variables: { id: foreign!.vehicles[0]!.id } },
    ],
    [
      'node of no id',
      `query ($id: ID!) { node(id: $id) { ${every} } }`,
      { variables: { id: 'vehicle' }, code: 'BAD_USER_INPUT' },
    ],
    [
      'records by unknown ids',
      `{ vehicle(id: "${unknownId('vehicle')}") { name } trip(id: "${unknownId('trip')}") { id } driver(id: "${unknownId('driver')}") { id } safetyEvent(id: "${unknownId('safetyEvent')}") { id } connection(id: "${unknownId('connection')}") { id } }`,
    ],
    [
      'records by ids of other kinds, and by texts that are no ids',
      `{ vehicle(id: "${vehicles[0]!.id}") { name } driver(id: "x") { id } safetyEvent(id: "") { id } sync(id: "${vehicles[0]!.id}") { id } }`,
      { code: 'BAD_USER_INPUT' },
    ],
    [
      'nodes among which one has no id',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } vehicles(first: 1) { nodes { name } } }',
      { variables: { ids: [vehicles[0]!.id, 'vcl_1', events[0]!.id, a.id] }, code: 'BAD_USER_INPUT' },
    ],
    [
      'records by foreign ids',
      `{ vehicle(id: "${foreign!.vehicles[0]!.id}") { name } connection(id: "${foreign!.connection.id}") { id token } sync(id: "${foreign!.syncs[0]!.id}") { id } }`,
    ],
    [
      'records by their ids',
      `{ vehicle(id: "${vehicles[2]!.id}") { name metadata { visibility } } trip(id: "${trips[10]!.id}") { distance } safetyEvent(id: "${safetyEvents[0]!.id}") { type } sync(id: "${syncs[0]!.id}") { failureReason } connection(id: "${connection.id}") { externalId } driver(id: "${drivers[2]!.id}") { firstName } }`,
    ],
  ]
}

/** Cases with the token of the first connection. */
export const narrowed = ({ a }: SeededFleets): Case[] => {
  const [, second] = a.connections
  return [
    ['the connection of the token', '{ connection { id externalId vehicles { nodes { name } } } }'],
    [
      'another connection',
      `{ connection(id: "${second!.connection.id}") { id } vehicle(id: "${second!.vehicles[0]!.id}") { name } }`,
    ],
    [
      'every list of one connection',
      '{ connections { nodes { id } } vehicles { nodes { id } } drivers { nodes { id } } groups { nodes { id } } devices { nodes { id } } trips { nodes { id } } safetyEvents { nodes { id } } vehicleLocations { nodes { vehicle { id } } } syncs { nodes { id } } events { nodes { id } } trailers { nodes { id } } trailerLocations { nodes { trailer { id } } } hosLogs { nodes { id } } hosDailyLogs { nodes { id } } hosAvailableTimes { nodes { driver { id } } } faultCodeEvents { nodes { id } } vehicleUtilization { nodes { vehicle { id } } } iftaSummary(startMonth: "2026-01", endMonth: "2026-01") { nodes { vehicle { id } } } issues { nodes { id } } }',
    ],
    [
      'subjects of one connection',
      '{ events { nodes { subject { __typename ... on Vehicle { name } } connection { externalId } } } }',
    ],
  ]
}

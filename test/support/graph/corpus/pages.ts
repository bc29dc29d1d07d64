import type { SeededFleets } from '../fleets.ts'
import type { Case, Cursors } from './operation.ts'

export const pages = ({ a }: SeededFleets, given: Cursors): Case[] => {
  const vehicle = a.connections[0]!.vehicles[0]!.id
  const page = 'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  return [
    [
      'forward',
      `query ($after: String) { vehicles(first: 2, after: $after) { ${page} } }`,
      { variables: { after: given.vehicles[1] } },
    ],
    [
      'backward',
      `query ($before: String) { vehicles(last: 2, before: $before) { ${page} } }`,
      { variables: { before: given.vehicles.at(-1) } },
    ],
    [
      'from both ends',
      `query ($after: String, $before: String) { trips(first: 3, after: $after, before: $before) { ${page} } }`,
      { variables: { after: given.trips[1], before: given.trips[5] } },
    ],
    [
      'the last page',
      `query ($after: String) { trips(after: $after) { ${page} } }`,
      { variables: { after: given.trips.at(-2) } },
    ],
    [
      'an empty page',
      `query ($after: String) { trips(after: $after) { ${page} } }`,
      { variables: { after: given.trips.at(-1) } },
    ],
    [
      'newest first',
      `query ($after: String) { syncs(first: 2, after: $after) { ${page} } }`,
      { variables: { after: given.syncs[0] } },
    ],
    [
      'pages of connections',
      `query ($after: String) { connections(first: 1, after: $after) { edges { node { vehicles(first: 1) { ${page} } } } ${page} } }`,
      { variables: { after: given.connections[0] } },
    ],
    [
      'pages of a track',
      `query ($id: ID!, $after: String) { vehicle(id: $id) { name locations(first: 2, after: $after) { ${page} } } }`,
      { variables: { id: vehicle, after: given.track[2] } },
    ],
    [
      'nested pages backward',
      `{ vehicles { nodes { trips(last: 1) { ${page} } locations(last: 2) { nodes { locatedAt } } } } }`,
    ],
  ]
}

/** Pages of hours of service, faults, aggregates, measurements and paths. */
export const pagesOfMeasurements = ({ a }: SeededFleets, given: Cursors): Case[] => {
  const { vehicles, trips } = a.connections[0]!
  const where = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  const ofVehicle = (list: string) =>
    `query ($id: ID!, $cursor: String) { vehicle(id: $id) { ${list} { edges { cursor node { id type } } ${where} } } }`
  const id = vehicles[0]!.id
  return [
    [
      'pages of hours of service',
      `query ($cursor: String) { hosLogs(first: 2, after: $cursor) { edges { cursor node { status codrivers { id } } } ${where} } back: hosLogs(last: 2, before: $cursor) { nodes { id } ${where} } }`,
      { variables: { cursor: given.hosLogs[2] } },
    ],
    [
      'pages of faults',
      `query ($cursor: String) { faultCodeEvents(first: 2, after: $cursor) { edges { cursor node { code ... on ObdiiFaultCodeEvent { obdii { code } } } } ${where} } back: faultCodeEvents(last: 2, before: $cursor) { nodes { code } ${where} } }`,
      { variables: { cursor: given.faultCodeEvents[3] } },
    ],
    [
      'pages of utilization',
      `query ($cursor: String) { vehicleUtilization(first: 1, after: $cursor) { edges { cursor node { distance raw { schema } } } ${where} } back: vehicleUtilization(last: 2, before: $cursor) { nodes { distance } ${where} } }`,
      { variables: { cursor: given.vehicleUtilization[1] } },
    ],
    [
      'pages of distances',
      `query ($cursor: String) { iftaSummary(startMonth: "2025-12", endMonth: "2026-02", first: 2, after: $cursor) { edges { cursor node { jurisdiction distance raw { schema } } } ${where} } back: iftaSummary(startMonth: "2025-12", endMonth: "2026-02", last: 2, before: $cursor) { nodes { jurisdiction distance } ${where} } }`,
      { variables: { cursor: given.iftaSummary[2] } },
    ],
    [
      'pages of measurements',
      ofVehicle('stats(first: 3, after: $cursor)'),
      { variables: { id, cursor: given.stats[4] } },
    ],
    [
      'pages of measurements backward',
      ofVehicle('stats(last: 3, before: $cursor)'),
      { variables: { id, cursor: given.stats[4] } },
    ],
    [
      'pages of some types',
      ofVehicle('stats(first: 2, after: $cursor, types: [ODOMETER, ENGINE_STATE])'),
      { variables: { id, cursor: given.someStats[1] } },
    ],
    [
      'pages of some types backward',
      ofVehicle('stats(last: 2, before: $cursor, types: [ODOMETER, ENGINE_STATE])'),
      { variables: { id, cursor: given.someStats[3] } },
    ],
    [
      'pages of a path',
      `query ($id: ID!, $cursor: String) { trip(id: $id) { distance path(first: 1, after: $cursor) { edges { cursor node { locatedAt } } ${where} } back: path(last: 1, before: $cursor) { nodes { locatedAt } ${where} } } }`,
      { variables: { id: trips[3]!.id, cursor: given.path[0] } },
    ],
    [
      'pages that are counted and no more',
      '{ vehicles { totalCount } hosLogs { totalCount } vehicleUtilization { totalCount } events { totalCount } syncs { totalCount } vehicleLocations { totalCount } }',
    ],
    [
      'nested pages that are counted and no more',
      '{ vehicles { nodes { trips { totalCount } stats { totalCount } locations { totalCount } faultCodeEvents { totalCount } } } drivers { nodes { hosLogs { totalCount } hosDailyLogs { totalCount } } } }',
    ],
  ]
}

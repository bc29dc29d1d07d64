import { newId } from '../../../../src/domain/ids.ts'
import type { SeededFleets } from '../fleets.ts'
import type { Case, Cursors } from './operation.ts'

export const refusals = ({ a }: SeededFleets, given: Cursors): Case[] => {
  const [first] = a.connections
  const vehicle = first!.vehicles[0]!.id
  const many = Array.from({ length: 101 }, () => vehicle)
  return [
    ['a bad cursor', '{ vehicles(after: "bad") { nodes { id } } }'],
    ['a bad cursor with data', '{ vehicles(after: "bad") { nodes { id } } drivers { nodes { id } } }'],
    [
      'an empty selection after data of the same list',
      '{ vehicles(first: 1) { nodes { id } } none: vehicles(first: -1) { nodes { id } } }',
    ],
    [
      'a bad cursor with a nullable field',
      `{ vehicle(id: "${vehicle}") { name trips(after: "bad") { nodes { id } } } driver(id: "${first!.drivers[0]!.id}") { firstName } }`,
    ],
    ['first of nothing', '{ trips(first: -1) { nodes { id } } }'],
    ['last of less than nothing', '{ syncs(last: -1) { nodes { id } } }'],
    ['first and last', '{ groups(first: 1, last: 1) { nodes { id } } }'],
    [
      'refused in a nested list of one',
      `{ vehicle(id: "${vehicle}") { name locations(first: -1) { nodes { id } } } provider(code: "sandbox") { name } }`,
    ],
    [
      'refused in the nested list of an entity',
      `{ trip(id: "${first!.trips[0]!.id}") { distance vehicle { name trips(first: -1) { nodes { id } } } } }`,
    ],
    [
      'refused in the nested list of each of many',
      `{ trips(vehicleIds: ["${vehicle}", "${first!.vehicles[1]!.id}"]) { nodes { distance vehicle { name trips(first: -1) { nodes { id } } } } } }`,
    ],
    [
      'refused in the nested list of references',
      '{ trips { nodes { distance vehicle { id locations(first: -1) { nodes { id } } } } } }',
    ],
    [
      'refused in each of a list that is required',
      '{ vehicles { nodes { name trips(first: -1) { nodes { id } } } } provider(code: "sandbox") { name } }',
    ],
    [
      'refused twice in one object',
      `{ vehicle(id: "${vehicle}") { name a: trips(first: -1) { nodes { id } } b: trips(after: "bad") { nodes { id } } } provider(code: "sandbox") { name } }`,
    ],
    [
      'refused in two subgraphs',
      `{ vehicle(id: "${vehicle}") { name trips(first: -1) { nodes { id } } locations(first: -1) { nodes { id } } } provider(code: "sandbox") { name } }`,
      { race: true },
    ],
    [
      'refused under an alias',
      `{ v: vehicle(id: "${vehicle}") { n: name t: trips(first: -1) { nodes { id } } } }`,
    ],
    [
      'refused for some subjects',
      '{ events { nodes { type subject { id ... on Vehicle { name trips(first: -1) { nodes { id } } } ... on Driver { firstName } } } } }',
    ],
    [
      'refused in nodes',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Vehicle { name locations(first: -1) { nodes { id } } } } }',
      { variables: { ids: [vehicle, first!.drivers[0]!.id, first!.vehicles[1]!.id] } },
    ],
    ['too many ids', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids: many } }],
    [
      'too many ids with data',
      'query ($ids: [ID!]!) { trips(vehicleIds: $ids) { nodes { id } } provider(code: "sandbox") { name } }',
      { variables: { ids: many.map((id, at) => `${id}${at}`) } },
    ],
    [
      'too many ids in a nullable place',
      `query ($ids: [ID!]!) { trip(id: "${first!.trips[0]!.id}") { distance vehicle { trips(driverIds: $ids) { nodes { id } } } } }`,
      { variables: { ids: many.map((id, at) => `${id}${at}`) } },
    ],
    [
      'sums by nothing',
      '{ iftaSummary(startMonth: "2026-01", endMonth: "2026-01", groupBy: []) { nodes { distance } } }',
    ],
    [
      'a cursor of other sums',
      `query ($cursor: String) { iftaSummary(startMonth: "2025-12", endMonth: "2026-02", groupBy: [MONTH], after: $cursor) { nodes { distance } } }`,
      { variables: { cursor: given.iftaSummary[0] } },
    ],
    [
      'a cursor of other measurements',
      `query ($cursor: String) { vehicle(id: "${vehicle}") { name stats(types: [ODOMETER], after: $cursor) { nodes { id } } } }`,
      { variables: { cursor: given.stats[0] } },
    ],
    [
      'a cursor of the path of another trip',
      `query ($cursor: String) { trip(id: "${first!.trips[1]!.id}") { distance path(after: $cursor) { nodes { id } } } }`,
      { variables: { cursor: given.path[0] } },
    ],
    [
      'refused in the paths of many',
      '{ trips { nodes { distance path(first: -1) { nodes { id } } } } provider(code: "sandbox") { name } }',
    ],
    [
      'refused in the nested lists of types of an interface',
      '{ faultCodeEvents { nodes { code ... on J1939FaultCodeEvent { vehicle { name stats(first: -1) { nodes { id } } } } } } }',
    ],
    [
      'refused for codrivers',
      `{ hosLogs(driverIds: ["${first!.drivers[1]!.id}"]) { nodes { status codrivers { firstName hosLogs(first: -1) { nodes { id } } } } } }`,
    ],
    [
      'too many ids of drivers',
      'query ($ids: [ID!]!) { hosAvailableTimes(driverIds: $ids) { nodes { currentStatus } } }',
      { variables: { ids: many.map((id, at) => `${id}${at}`) } },
    ],
    ['after an unknown event', `{ events(after: "${newId('event')}") { nodes { id } } }`],
    ['the first none of the log', '{ events(first: -1) { nodes { id } } }'],
  ]
}

export const forbidden: readonly Case[] = [
  ['no connection token', '{ connection { id } }'],
  [
    'no connection token with data',
    '{ connection { id } providers { code } vehicles(first: 1) { nodes { id } } }',
  ],
  ['no connection token, twice', '{ connection { id } again: connection { status } }'],
]

/** Values that their types cannot represent, at nullable and at non-null positions. */
export const brokenValues = ({ broken }: SeededFleets): Case[] => {
  const [first] = broken.connections
  const [sound, fuel, status] = first!.vehicles
  return [
    ['an error in a nullable field', `{ vehicle(id: "${fuel!.id}") { name fuelType status } }`],
    [
      'an error in a required field',
      `{ vehicle(id: "${status!.id}") { name status } other: vehicle(id: "${sound!.id}") { name status } }`,
    ],
    ['an error in a required field of a list', '{ vehicles { nodes { name status } } providers { code } }'],
    ['errors in nullable fields of a list', '{ vehicles { nodes { name fuelType } } }'],
    ['an error in a required field of a reference', '{ trips { nodes { id vehicle { name status } } } }'],
    [
      'an error in a required field, under an alias and a fragment',
      'fragment V on Vehicle { n: name s: status } { trips { nodes { id v: vehicle { ...V } } } }',
    ],
    [
      'an error below a reference',
      '{ trips { nodes { vehicle { name latestLocation { speed engineState } } } } }',
    ],
    ['an error in the same subgraph', '{ devices { nodes { id vehicle { name status } } } }'],
    [
      'an error in a required field of a subject',
      '{ events { nodes { id subject { id ... on Vehicle { name status } } } } }',
    ],
    [
      'an error in a required field of nodes',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Vehicle { status } } }',
      { variables: { ids: [sound!.id, status!.id] } },
    ],
    ['an error that a resolver throws', '{ connections { nodes { id provider { name } } } }'],
    [
      'an error that a resolver throws, from a nullable place',
      `{ syncs { nodes { id connection { id provider { name } } } } one: connection(id: "${broken.connections[1]!.connection.id}") { id provider { name } } }`,
    ],
    [
      'an error that a resolver throws, with data',
      '{ connections { nodes { provider { name } } } vehicles { nodes { name } } }',
    ],
    [
      'an error that a resolver throws for a reference',
      '{ events { nodes { connection { id provider { name } } } } }',
    ],
    [
      'errors of two kinds at once',
      `{ vehicle(id: "${status!.id}") { fuelType status } one: connection(id: "${broken.connections[1]!.connection.id}") { provider { name } } two: vehicle(id: "${sound!.id}") { trips(first: -1) { nodes { id } } } }`,
    ],
  ]
}

/** The same for measurements and for records of interface types. */
export const brokenMeasurements = ({ broken }: SeededFleets): Case[] => {
  const [first] = broken.connections
  const vehicle = first!.vehicles[0]!.id
  const [odd, sound] = first!.faultCodeEvents
  return [
    [
      'an error in a required field of hours of service',
      '{ hosLogs { nodes { id status } } providers { code } }',
    ],
    [
      'an error in the hours of a driver',
      '{ drivers { nodes { firstName hosLogs { nodes { status } } } } providers { code } }',
    ],
    ['errors in nullable fields of an interface', '{ faultCodeEvents { nodes { code milStatus } } }'],
    [
      'an error in a required field of one type of an interface',
      '{ faultCodeEvents { nodes { code ... on J1939FaultCodeEvent { j1939 { spn } } } } providers { code } }',
    ],
    [
      'errors in nodes of an interface',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on FaultCodeEvent { milStatus ... on J1939FaultCodeEvent { j1939 { spn } } } } }',
      { variables: { ids: [odd!.id, sound!.id] } },
    ],
    [
      'an error in a required field of measurements',
      `{ vehicle(id: "${vehicle}") { name stats { nodes { type ... on EngineStateStatLog { state } } } } providers { code } }`,
    ],
    [
      'errors in measurements, of some types',
      `{ vehicle(id: "${vehicle}") { name stats(types: [ODOMETER, FUEL_LEVEL]) { nodes { type ... on OdometerStatLog { odometer } ... on FuelLevelStatLog { fuelPercentage } } } } providers { code } }`,
    ],
  ]
}

import { NOON, unknownId } from '../../factories.ts'
import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

export const argumentsAndVariables = ({ a }: SeededFleets): Case[] => {
  const [first, second] = a.connections
  const [vehicle, other] = first!.vehicles
  return [
    [
      'defaults of variables',
      'query ($first: Int = 2, $deleted: Boolean! = true) { vehicles(first: $first, deleted: $deleted) { nodes { name } } }',
    ],
    [
      'defaults that are overridden',
      'query ($first: Int = 2, $deleted: Boolean! = true) { vehicles(first: $first, deleted: $deleted) { nodes { name } } }',
      { variables: { first: 3, deleted: false } },
    ],
    [
      'null over a default',
      'query ($first: Int = 2) { vehicles(first: $first) { nodes { name } } }',
      { variables: { first: null } },
    ],
    [
      'null literals',
      '{ vehicles(first: null, after: null, modifiedAfter: null) { nodes { name } } connections(status: null, tag: null) { nodes { id } } trips(vehicleIds: null, driverIds: null, last: null) { nodes { id } } }',
    ],
    [
      'null variables',
      'query ($first: Int, $ids: [ID!], $at: DateTime, $status: SyncStatus) { trips(first: $first, vehicleIds: $ids, startedAfter: $at) { nodes { id } } syncs(status: $status) { nodes { id } } }',
      { variables: { first: null, ids: null, at: null, status: null } },
    ],
    [
      'variables that are left out',
      'query ($first: Int, $ids: [ID!], $at: DateTime, $status: SyncStatus, $deleted: Boolean) { trips(first: $first, vehicleIds: $ids, startedAfter: $at) { nodes { id } } syncs(status: $status) { nodes { id } } vehicles(deleted: $deleted) { nodes { name } } }',
    ],
    [
      'a nullable variable for a required argument with a default',
      'query ($deleted: Boolean) { vehicles(deleted: $deleted) { nodes { name } } drivers { nodes { id } } }',
      { variables: { deleted: true } },
    ],
    [
      'enum literals',
      '{ syncs(status: COMPLETED) { nodes { status } } connections(status: CONNECTED) { nodes { status syncMode } } none: connections(status: PENDING_DELETION) { nodes { id } } }',
    ],
    [
      'enum variables',
      'query ($sync: SyncStatus!, $connection: ConnectionStatus = ARCHIVED) { syncs(status: $sync) { nodes { status } } connections(status: $connection) { nodes { status } } }',
      { variables: { sync: 'IN_PROGRESS' } },
    ],
    [
      'date literals',
      '{ trips(startedAfter: "2026-01-30T14:00:00Z", startedBefore: "2026-01-30T16:00:00.500+01:00") { nodes { startedAt } } }',
    ],
    [
      'date variables',
      'query ($from: DateTime, $to: DateTime) { trips(endedAfter: $from, endedBefore: $to) { nodes { endedAt } } vehicles(modifiedAfter: $from) { nodes { name } } }',
      { variables: { from: '2026-01-30T12:00:00Z', to: '2026-01-30T16:30:00-02:00' } },
    ],
    [
      'date defaults',
      'query ($from: DateTime = "2026-01-31T11:57:00Z") { vehicles { nodes { locations(startAt: $from, endAt: "2026-01-31T12:00:00Z") { nodes { locatedAt } } } } }',
    ],
    [
      'one id for a list',
      'query ($id: [ID!]) { trips(vehicleIds: $id) { nodes { vehicle { id } } } }',
      { variables: { id: vehicle!.id } },
    ],
    ['a literal for a list', `{ trips(vehicleIds: "${vehicle!.id}") { nodes { vehicle { id } } } }`],
    [
      'variables within a list',
      'query ($one: ID!, $two: ID!) { trips(vehicleIds: [$one, $two]) { nodes { vehicle { name } } } nodes(ids: [$two, "vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P", $one]) { id } }',
      { variables: { one: vehicle!.id, two: other!.id } },
    ],
    [
      'an empty list',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } trips(vehicleIds: $ids) { nodes { id } pageInfo { hasNextPage startCursor } } events(types: []) { nodes { id } } }',
      { variables: { ids: [] } },
    ],
    [
      'numbers for ids',
      'query ($id: ID!) { vehicle(id: $id) { id } driver(id: 12) { id } }',
      { variables: { id: 7 }, code: 'BAD_USER_INPUT' },
    ],
    ['undeclared variables', '{ vehicles(first: 1) { nodes { id } } }', { variables: { spare: 1 } }],
    [
      'filters of connections',
      'query ($ours: String) { connections(externalId: $ours, dotNumber: "1234567", tag: "west", provider: "sandbox") { nodes { id } } }',
      { variables: { ours: 'ours-1' } },
    ],
    [
      'filters of locations',
      'query ($v: [ID!], $d: [ID!]) { byVehicle: vehicleLocations(vehicleIds: $v) { nodes { vehicle { name } } } byDriver: vehicleLocations(driverIds: $d) { nodes { driver { firstName } } } }',
      { variables: { v: [vehicle!.id, unknownId('vehicle')], d: [first!.drivers[0]!.id] } },
    ],
    [
      'filters of records',
      'query ($d: [ID!]) { trips(driverIds: $d) { nodes { driver { id } } } safetyEvents(driverIds: $d, startedAfter: "2026-01-30T00:00:00Z") { nodes { type } } }',
      { variables: { d: [first!.drivers[0]!.id, second!.drivers[0]!.id] } },
    ],
    [
      'filters of nested lists',
      'query ($d: [ID!]) { vehicles { nodes { trips(driverIds: $d, endedAfter: "2026-01-30T12:30:00Z") { nodes { id } } safetyEvents(startedBefore: "2026-01-30T00:00:00Z") { nodes { type } } } } }',
      { variables: { d: [first!.drivers[0]!.id] } },
    ],
    [
      'filters of the log',
      'query ($c: [ID!], $after: ID) { events(types: ["vehicle.added", "driver.added"], connectionIds: $c, after: $after) { nodes { type connection { id } } pageInfo { hasPreviousPage endCursor } } }',
      { variables: { c: [second!.connection.id], after: first!.events[2]!.id } },
    ],
  ]
}

/** Arguments and variables of wrong types. */
export const argumentTypeErrors = ({ a }: SeededFleets): Case[] => [
  [
    'a text for a number',
    'query ($first: Int) { vehicles(first: $first) { nodes { id } } }',
    { variables: { first: 'two' } },
  ],
  [
    'a fraction for a number',
    'query ($first: Int) { vehicles(first: $first) { nodes { id } } }',
    { variables: { first: 1.5 } },
  ],
  [
    'a number out of range',
    'query ($first: Int) { vehicles(first: $first) { nodes { id } } }',
    { variables: { first: 3_000_000_000 } },
  ],
  [
    'an object for an id',
    'query ($id: ID!) { vehicle(id: $id) { id } }',
    { variables: { id: { $ne: null } } },
  ],
  ['a required variable that is left out', 'query ($id: ID!) { vehicle(id: $id) { id } }'],
  [
    'null for a required variable',
    'query ($id: ID!) { vehicle(id: $id) { id } }',
    { variables: { id: null } },
  ],
  ['null in a list', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids: [null] } }],
  [
    'no such enum value',
    'query ($status: SyncStatus) { syncs(status: $status) { nodes { id } } }',
    { variables: { status: 'completed' } },
  ],
  [
    'a number for an enum value',
    'query ($status: SyncStatus) { syncs(status: $status) { nodes { id } } }',
    { variables: { status: 1 } },
  ],
  [
    'no date',
    'query ($at: DateTime) { trips(startedAfter: $at) { nodes { id } } }',
    { variables: { at: 'yesterday' } },
  ],
  [
    'a date without a zone',
    'query ($at: DateTime) { trips(startedAfter: $at) { nodes { id } } }',
    { variables: { at: '2026-01-31T12:00:00' } },
  ],
  [
    'a number for a date',
    'query ($at: DateTime) { trips(startedAfter: $at) { nodes { id } } }',
    { variables: { at: NOON } },
  ],
  [
    'no date for a nested list',
    'query ($at: DateTime) { vehicles { nodes { trips(startedAfter: $at) { nodes { id } } } } }',
    { variables: { at: 'yesterday' } },
  ],
  ...['2026-02-30', '2026-01', '2026-01-31T00:00:00Z'].map((date): Case => [
    `no day: ${date}`,
    'query ($date: Date) { hosDailyLogs(startDate: $date) { nodes { id } } }',
    { variables: { date } },
  ]),
  ...['2026-13', '2026-01-31', '26-01'].map((month): Case => [
    `no month: ${month}`,
    'query ($month: Month!) { iftaSummary(startMonth: $month, endMonth: "2026-01") { nodes { distance } } }',
    { variables: { month } },
  ]),
  [
    'a number for a day of a nested list',
    'query ($date: Date) { drivers { nodes { hosDailyLogs(endDate: $date) { nodes { id } } } } }',
    { variables: { date: 20260131 } },
  ],
  [
    'no such type of measurement',
    'query ($types: [VehicleStatType!]) { vehicles { nodes { stats(types: $types) { nodes { id } } } } }',
    { variables: { types: ['odometer'] } },
  ],
  [
    'null for groupings that have a default',
    'query ($by: [IftaGrouping!]) { iftaSummary(startMonth: "2026-01", endMonth: "2026-01", groupBy: $by) { nodes { distance } } }',
    { variables: { by: null } },
  ],
  [
    'no boolean',
    'query ($yes: Boolean!) { vehicles { nodes { id @include(if: $yes) name } } }',
    { variables: { yes: 'yes' } },
  ],
  [
    'two variables that do not fit',
    'query ($first: Int!, $at: DateTime!) { trips(first: $first, startedAfter: $at) { nodes { id } } }',
    { variables: { first: 'x', at: 'y' } },
  ],
  [
    'null for an argument that has a default',
    'query ($deleted: Boolean) { vehicles(deleted: $deleted) { nodes { id } } }',
    { variables: { deleted: null } },
  ],
  [
    'null for a nested argument that has a default',
    `query ($deleted: Boolean) { connection(id: "${a.connections[0]!.connection.id}") { id vehicles(deleted: $deleted) { nodes { id } } } providers { code } }`,
    { variables: { deleted: null } },
  ],
]

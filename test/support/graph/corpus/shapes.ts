import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

export const shapes = ({ a }: SeededFleets): Case[] => {
  const [first] = a.connections
  const variables = { id: first!.vehicles[0]!.id, other: first!.vehicles[1]!.id }
  return [
    [
      'one field twice with other arguments',
      'query ($id: ID!, $other: ID!) { one: vehicle(id: $id) { n: name name } two: vehicle(id: $other) { n: make name } }',
      { variables },
    ],
    [
      'a nested list twice',
      'query ($id: ID!) { vehicle(id: $id) { early: trips(first: 1) { nodes { id } } late: trips(last: 1) { nodes { id distance } } all: trips { nodes { id } } } }',
      { variables },
    ],
    [
      'aliases that swap names',
      '{ vehicles(first: 3) { list: nodes { id: name name: id make: model model: make } } }',
    ],
    [
      'aliases that take the names of keys',
      `{ vehicles(first: 3) { nodes { id: sourceId __typename: status latestLocation { speed } trips(first: 1) { nodes { id: distance vehicle { id: vin latestLocation { heading } } } } } } }`,
    ],
    [
      'aliases of entities',
      '{ trips(first: 4) { nodes { v: vehicle { title: name w: latestLocation { kph: speed } } vehicle { id } d: driver { id } } } }',
    ],
    [
      'aliases with underscores',
      'query ($id: ID!) { b_a: vehicle(id: $id) { id } a: trips(first: 1) { b: nodes { vehicle { name } } } a_b: vehicle(id: $id) { name } }',
      { variables },
    ],
    [
      'fields whose resolver infos could share a name',
      'query ($trip: ID!) { vehicle_t: trip(id: $trip) { vehicle { id } } t: trip(id: $trip) { vehicle { name status } } }',
      { variables: { trip: first!.trips[0]!.id } },
    ],
    [
      'references whose resolver infos could share a name',
      'query ($trip: ID!) { t: trip(id: $trip) { vehicle { name status } } vehicle_t: vehicle(id: "vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P") { id } driver_t: trip(id: $trip) { id } }',
      { variables: { trip: first!.trips[0]!.id } },
    ],
    [
      'an alias that JavaScript knows',
      '{ vehicles(first: 1) { nodes { __proto__: name constructor: make toString: id } } }',
    ],
    [
      'an entity under an alias that JavaScript knows',
      '{ trips(first: 1) { nodes { __proto__: vehicle { name } } } }',
    ],
    [
      'the same field in two selections',
      '{ trips(first: 3) { nodes { vehicle { id } vehicle { name } vehicle { latestLocation { speed } } } } }',
    ],
    [
      'the same list in two selections',
      '{ vehicles { nodes { id } } vehicles { nodes { name } pageInfo { hasNextPage } } }',
    ],
    [
      'a named fragment',
      'fragment V on Vehicle { name trips(first: 1) { nodes { ...T } } } fragment T on Trip { distance driver { firstName } } { vehicles { nodes { ...V } } trips { nodes { ...T vehicle { ...V } } } }',
    ],
    [
      'nested fragments',
      'fragment A on Vehicle { ...B id } fragment B on Vehicle { ...C make } fragment C on Vehicle { name latestLocation { ...L } } fragment L on LatestVehicleLocation { speed vehicle { model } } { vehicles(first: 2) { nodes { ...A } } }',
    ],
    [
      'inline fragments',
      '{ vehicles(first: 2) { nodes { ... { id } ... on Vehicle { name } ... on Node { __typename } } } }',
    ],
    [
      'fragments on Node',
      'fragment N on Node { __typename id ... on Vehicle { name } ... on Driver { firstName } } { events { nodes { subject { ...N } } } trips(first: 2) { nodes { ...N vehicle { ...N } driver { ...N } } } }',
    ],
    [
      'a fragment on Query',
      'fragment Q on Query { vehicles(first: 1) { nodes { id } } providers { code } } { ...Q }',
    ],
    [
      '__typename everywhere',
      '{ __typename vehicles(first: 1) { __typename edges { __typename node { __typename groups { __typename } latestLocation { __typename location { __typename } vehicle { __typename } } trips(first: 1) { __typename pageInfo { __typename } nodes { __typename vehicle { __typename } } } licensePlate { __typename } metadata { __typename } } } } }',
    ],
    [
      '__typename under an alias',
      '{ kind: __typename vehicles(first: 1) { nodes { kind: __typename groups { kind: __typename id } devices { kind: __typename vehicle { kind: __typename } } } } }',
    ],
    [
      'only __typename of references',
      '{ trips { nodes { vehicle { __typename } driver { __typename } } } events { nodes { subject { __typename } connection { __typename } } } }',
    ],
    [
      'edges, nodes and page info',
      '{ vehicles(first: 2) { edges { cursor node { id name } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }',
    ],
    [
      'only ids of references',
      '{ trips { nodes { vehicle { id } driver { id } } } devices { nodes { vehicle { id } } } vehicles { nodes { groups { id } } } groups { nodes { parent { id } } } events { nodes { connection { id } subject { id } } } connections { nodes { lastSync { id } } } }',
    ],
    [
      'only fields that others add',
      '{ trips { nodes { vehicle { latestLocation { speed } trips(first: 1) { nodes { id } } } driver { safetyEvents { nodes { id } } } } } devices { nodes { vehicle { latestLocation { speed } } } } events { nodes { connection { vehicles(first: 1) { nodes { id } } } } } }',
    ],
  ]
}

export const introspection: readonly Case[] = [
  ['the names of types', '{ __schema { queryType { name } subscriptionType { name } types { name kind } } }'],
  [
    'one type',
    '{ __type(name: "Vehicle") { name kind description interfaces { name } fields(includeDeprecated: true) { name isDeprecated deprecationReason args { name defaultValue type { name kind ofType { name } } } type { name kind ofType { name kind } } } } }',
  ],
  [
    'an enum',
    '{ __type(name: "SyncStatus") { enumValues { name description } } unknown: __type(name: "Nothing") { name } }',
  ],
  ['an interface', '{ __type(name: "Node") { possibleTypes { name } } }'],
  [
    'introspection with data',
    '{ __typename __type(name: "Trip") { name } vehicles(first: 1) { nodes { name __typename } } }',
  ],
]

export const operations = ({ a }: SeededFleets): Case[] => {
  const two =
    'query One { vehicles(first: 1) { nodes { ...V } } } query Two($yes: Boolean!) { drivers(first: 1) { nodes { id } } vehicles(first: 2) { nodes { ...V @include(if: $yes) __typename } } } fragment V on Vehicle { name groups { name } }'
  const variables = { yes: false }
  return [
    ['the first of two operations', two, { operationName: 'One' }],
    ['the second of two operations', two, { operationName: 'Two', variables }],
    ['the first again', two, { operationName: 'One', variables }],
    [
      'a name for the only operation',
      `query Only { vehicle(id: "${a.connections[0]!.vehicles[0]!.id}") { name } }`,
      { operationName: 'Only' },
    ],
    ['no name for two operations', two, { code: 'BAD_USER_INPUT' }],
    ['a name that no operation has', two, { operationName: 'Three', code: 'BAD_USER_INPUT' }],
  ]
}

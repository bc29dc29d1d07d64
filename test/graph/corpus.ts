import { NOON, type Party, type PlantedFleets, unknownId } from '../factories.ts'

/** One operation of the corpus, and who asks. */
export interface Operation {
  readonly name: string
  readonly text: string
  readonly party: Party
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** Several resolvers refuse for one place, and nothing says which of them is heard first. */
  readonly race?: boolean
}

/** Cursors that the lists of application A gave out, in their order. */
export interface Cursors {
  readonly vehicles: readonly string[]
  readonly trips: readonly string[]
  readonly syncs: readonly string[]
  readonly connections: readonly string[]
  readonly track: readonly string[]
}

/** Asks for what `cursorsIn` reads. */
export const CURSORS = /* GraphQL */ `
  query Cursors($vehicle: ID!) {
    vehicles { edges { cursor } }
    trips { edges { cursor } }
    syncs { edges { cursor } }
    connections { edges { cursor } }
    vehicle(id: $vehicle) { locations { edges { cursor } } }
  }
`

interface Edges {
  readonly edges: readonly { readonly cursor: string }[]
}

const cursors = ({ edges }: Edges) => edges.map(({ cursor }) => cursor)

export function cursorsIn(data: unknown): Cursors {
  const { vehicles, trips, syncs, connections, vehicle } = data as Record<keyof Cursors, Edges> & {
    vehicle: { locations: Edges }
  }
  return {
    vehicles: cursors(vehicles),
    trips: cursors(trips),
    syncs: cursors(syncs),
    connections: cursors(connections),
    track: cursors(vehicle.locations),
  }
}

type Case = readonly [name: string, text: string, more?: Omit<Partial<Operation>, 'name' | 'text'>]

export function corpus(fleets: PlantedFleets, given: Cursors): Operation[] {
  const { a, broken } = fleets
  const by = (party: Party, cases: readonly Case[]): Operation[] =>
    cases.map(([name, text, more]) => ({ party, name, text, ...more }))
  return [
    ...by(a.party, [
      ...nesting(fleets),
      ...shapes(fleets),
      ...conditions(fleets),
      ...collidingConditions(fleets),
      ...argumentsAndVariables(fleets),
      ...pages(fleets, given),
      ...nodes(fleets),
      ...missing(fleets),
      ...refusals(fleets),
      ...misfits(fleets),
      ...introspection,
      ...operations(fleets),
    ]),
    ...by(a.narrowed(0), narrowed(fleets)),
    ...by(broken.party, brokenValues(fleets)),
  ]
}

const nesting = ({ a }: PlantedFleets): Case[] => {
  const [first] = a.connections
  const vehicle = first!.vehicles[0]!.id
  return [
    ['two subgraphs', '{ vehicles { nodes { id name latestLocation { speed locatedAt } } } }'],
    [
      'three subgraphs',
      `{ vehicles(first: 4) { nodes { name status latestLocation { location { latitude longitude } driver { firstName } }
         trips(first: 2) { nodes { distance driver { lastName status } } } } } }`,
    ],
    [
      'four subgraphs',
      `{ connections { nodes { id token vehicles(first: 2) { nodes { name latestLocation { engineState }
         trips(first: 1) { nodes { startedAt vehicle { make groups { name parent { name } } } } } } } } } }`,
    ],
    [
      'five subgraphs, from the log',
      `{ events(first: 30) { nodes { type timestamp detail connection { provider { name status } lastSync { status } }
         subject { __typename id ... on Vehicle { name latestLocation { speed } safetyEvents { nodes { type } } }
           ... on Trip { distance vehicle { name latestLocation { heading } } }
           ... on Driver { firstName trips { nodes { id } } } ... on Group { name parent { name } }
           ... on Device { serialNumber vehicle { vin } } ... on SafetyEvent { kind: type stats { maximumSpeed } }
           ... on Sync { progress connection { syncMode } } ... on Connection { state: status company { name } } } } } }`,
    ],
    [
      'a vehicle with everything',
      `query ($id: ID!) { vehicle(id: $id) { id sourceId provider status vin name make model year
         licensePlate { state number } fuelType fuelEfficiency fuelTankCapacity createdAt updatedAt
         metadata { addedAt modifiedAt deletedAt visibility } groups { id name description }
         devices { id type description serialNumber lastConnectedAt } raw { provider schema extractedAt data }
         latestLocation { provider location { longitude latitude } address { formatted } heading speed locatedAt odometer
           fuel { primaryPercentage secondaryPercentage } engineState engineRuntime }
         locations { nodes { id speed locatedAt metadata { modifiedAt } driver { firstName } } } } }`,
      { variables: { id: vehicle } },
    ],
    ['round and round', '{ trips(first: 3) { nodes { vehicle { trips(first: 1) { nodes { vehicle { trips(first: 1) { nodes { id vehicle { name } } } } } } } } } }'],
    ['drivers with all of theirs', '{ drivers(deleted: true) { nodes { firstName license { state number } phone groups { name } trips { nodes { id vehicle { name } } } safetyEvents { nodes { type vehicle { vin } } } raw { data } metadata { visibility } } } }'],
    ['safety events', '{ safetyEvents { nodes { type sourceType startedAt endedAt startLocation { latitude } stats { maximumSpeed gForceForwardBackward heading } vehicle { name } driver { email } raw { schema } metadata { modifiedAt } } } }'],
    ['devices with their vehicles', '{ devices { nodes { type vehicle { name groups { name } latestLocation { speed } } } } }'],
    ['groups and their parents', '{ groups(deleted: true) { nodes { name metadata { deletedAt } parent { name parent { id name parent { name } } } } } }'],
    ['latest locations with their vehicles', '{ vehicleLocations { nodes { vehicle { name trips(first: 1) { nodes { distance } } } driver { firstName trips(first: 1) { nodes { id } } } fuel { primaryPercentage } engineState } } }'],
    ['syncs with their connections', '{ syncs { nodes { status progress attempts startFrom completedAt failureReason connection { id status vehicles(first: 1) { nodes { name } } } } } }'],
    ['a connection with everything', '{ connections { nodes { id status syncMode company { name dotNumbers } account { name dotNumbers user { sourceId firstName lastName email } } options tags filters sourceId externalId createdAt updatedAt provider { code baseCode } linkUrl agreements { id agreementUrl acceptedAt acceptedBy { firstName } location ipAddress } lastSync { id status connection { id } } drivers { nodes { firstName } } groups { nodes { name } } devices { nodes { type vehicle { name } } } } } }'],
    ['providers', '{ providers { code name status logo icon models { name read types sampleRate availableHistory } references { type url label } } provider(code: "sandbox") { name } none: provider(code: "nobody") { name } }'],
    ['lists of lists of entities', '{ connections { nodes { vehicles { nodes { groups { name } devices { vehicle { groups { id } } } trips { nodes { driver { groups { name } } } } } } } } }'],
  ]
}

const shapes = ({ a }: PlantedFleets): Case[] => {
  const [first] = a.connections
  const variables = { id: first!.vehicles[0]!.id, other: first!.vehicles[1]!.id }
  return [
    ['one field twice with other arguments', 'query ($id: ID!, $other: ID!) { one: vehicle(id: $id) { n: name name } two: vehicle(id: $other) { n: make name } }', { variables }],
    ['a nested list twice', 'query ($id: ID!) { vehicle(id: $id) { early: trips(first: 1) { nodes { id } } late: trips(last: 1) { nodes { id distance } } all: trips { nodes { id } } } }', { variables }],
    ['aliases that swap names', '{ vehicles(first: 3) { list: nodes { id: name name: id make: model model: make } } }'],
    ['aliases that take the names of keys', `{ vehicles(first: 3) { nodes { id: sourceId __typename: status latestLocation { speed } trips(first: 1) { nodes { id: distance vehicle { id: vin latestLocation { heading } } } } } } }`],
    ['aliases of entities', '{ trips(first: 4) { nodes { v: vehicle { title: name w: latestLocation { kph: speed } } vehicle { id } d: driver { id } } } }'],
    ['aliases with underscores', 'query ($id: ID!) { b_a: vehicle(id: $id) { id } a: trips(first: 1) { b: nodes { vehicle { name } } } a_b: vehicle(id: $id) { name } }', { variables }],
    ['infos that share a name', 'query ($trip: ID!) { vehicle_t: trip(id: $trip) { vehicle { id } } t: trip(id: $trip) { vehicle { name status } } }', { variables: { trip: first!.trips[0]!.id } }],
    ['infos that share a name, mentions', 'query ($trip: ID!) { t: trip(id: $trip) { vehicle { name status } } vehicle_t: vehicle(id: "vcl_0") { id } driver_t: trip(id: $trip) { id } }', { variables: { trip: first!.trips[0]!.id } }],
    ['an alias that JavaScript knows', '{ vehicles(first: 1) { nodes { __proto__: name constructor: make toString: id } } }'],
    ['an entity under an alias that JavaScript knows', '{ trips(first: 1) { nodes { __proto__: vehicle { name } } } }'],
    ['the same field in two selections', '{ trips(first: 3) { nodes { vehicle { id } vehicle { name } vehicle { latestLocation { speed } } } } }'],
    ['the same list in two selections', '{ vehicles { nodes { id } } vehicles { nodes { name } pageInfo { hasNextPage } } }'],
    ['a named fragment', 'fragment V on Vehicle { name trips(first: 1) { nodes { ...T } } } fragment T on Trip { distance driver { firstName } } { vehicles { nodes { ...V } } trips { nodes { ...T vehicle { ...V } } } }'],
    ['nested fragments', 'fragment A on Vehicle { ...B id } fragment B on Vehicle { ...C make } fragment C on Vehicle { name latestLocation { ...L } } fragment L on LatestVehicleLocation { speed vehicle { model } } { vehicles(first: 2) { nodes { ...A } } }'],
    ['inline fragments', '{ vehicles(first: 2) { nodes { ... { id } ... on Vehicle { name } ... on Node { __typename } } } }'],
    ['fragments on Node', 'fragment N on Node { __typename id ... on Vehicle { name } ... on Driver { firstName } } { events { nodes { subject { ...N } } } trips(first: 2) { nodes { ...N vehicle { ...N } driver { ...N } } } }'],
    ['a fragment on Query', 'fragment Q on Query { vehicles(first: 1) { nodes { id } } providers { code } } { ...Q }'],
    ['__typename everywhere', '{ __typename vehicles(first: 1) { __typename edges { __typename node { __typename groups { __typename } latestLocation { __typename location { __typename } vehicle { __typename } } trips(first: 1) { __typename pageInfo { __typename } nodes { __typename vehicle { __typename } } } licensePlate { __typename } metadata { __typename } } } } }'],
    ['__typename under an alias', '{ kind: __typename vehicles(first: 1) { nodes { kind: __typename groups { kind: __typename id } devices { kind: __typename vehicle { kind: __typename } } } } }'],
    ['__typename alone of mentions', '{ trips { nodes { vehicle { __typename } driver { __typename } } } events { nodes { subject { __typename } connection { __typename } } } }'],
    ['edges and nodes and where the page lies', '{ vehicles(first: 2) { edges { cursor node { id name } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }'],
    ['only ids of mentions', '{ trips { nodes { vehicle { id } driver { id } } } devices { nodes { vehicle { id } } } vehicles { nodes { groups { id } } } groups { nodes { parent { id } } } events { nodes { connection { id } subject { id } } } connections { nodes { lastSync { id } } } }'],
    ['only fields that others add', '{ trips { nodes { vehicle { latestLocation { speed } trips(first: 1) { nodes { id } } } driver { safetyEvents { nodes { id } } } } } devices { nodes { vehicle { latestLocation { speed } } } } events { nodes { connection { vehicles(first: 1) { nodes { id } } } } } }'],
  ]
}

const conditions = ({ a }: PlantedFleets): Case[] => {
  const trip = a.connections[0]!.trips[0]!.id
  const each: Case[] = [
    ['@include on fields', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @include(if: $yes) distance @include(if: $no) vehicle @include(if: $yes) { name @include(if: $no) vin } driver @include(if: $no) { id } } }'],
    ['@skip on fields', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @skip(if: $no) distance @skip(if: $yes) vehicle @skip(if: $no) { name @skip(if: $yes) vin } driver @skip(if: $yes) { id } } }'],
    ['both on one field', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id a: distance @skip(if: $no) @include(if: $yes) b: distance @skip(if: $yes) @include(if: $yes) c: distance @include(if: $no) @skip(if: $no) d: distance @skip(if: $yes) @include(if: $no) } }'],
    ['on literals', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @include(if: true) distance @include(if: false) duration @skip(if: true) vehicle @skip(if: false) { name } driver @include(if: $yes) { id @skip(if: $no) } } }'],
    ['on an inline fragment of a mention', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { vehicle { id ... @include(if: $no) { name vin } } driver { id ... @include(if: $yes) { firstName } ... @skip(if: $yes) { lastName } } } }'],
    ['on a named fragment', 'fragment V on Vehicle { name make } fragment D on Driver { firstName } query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { vehicle { id ...V @include(if: $no) } driver { id ...D @include(if: $yes) } } }'],
    ['on root fields', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) @include(if: $no) { id } vehicles(first: 1) @include(if: $yes) { nodes { id } } ... @include(if: $no) { drivers { nodes { id } } } }'],
    ['nothing is left', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) @include(if: $no) { id @include(if: $yes) } }'],
    ['nothing is left of an object', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { vehicle { name @include(if: $no) } driver { id @skip(if: $yes) } } }'],
    ['on fragments of an abstract type', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { node(id: $trip) { id ... on Trip @include(if: $yes) { distance vehicle { id name @include(if: $no) } } ... on Vehicle @include(if: $no) { name } } events { nodes { subject { ... on Vehicle @include(if: $no) { name } ... on Driver @skip(if: $no) { firstName } } } } }'],
    ['on fragments within fragments', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { ... @include(if: $yes) { distance ... @include(if: $no) { duration vehicle { id } } ... @skip(if: $no) { startedAt } } } }'],
    ['on a nullable field that stands twice', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { distance @include(if: $no) distance sourceId @include(if: $yes) sourceId @include(if: $no) provider @skip(if: $no) provider } }'],
    ['on an object that stands twice', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { distance vehicle @include(if: $no) { name vin } vehicle { name @include(if: $yes) make } } }'],
    ['on a field that stands twice', 'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @include(if: $no) id distance @include(if: $no) distance @skip(if: $yes) duration @include(if: $no) duration @include(if: $yes) } }'],
  ]
  return [
    ...each.map(([name, text]): Case => [`${name}, as they are`, text, { variables: { trip, yes: true, no: false } }]),
    ...each.map(([name, text]): Case => [`${name}, turned round`, text, { variables: { trip, yes: false, no: true } }]),
  ]
}

/** Where a compiler that keeps conditions with fields, and not with places, goes wrong. */
const collidingConditions = ({ a }: PlantedFleets): Case[] => {
  const trip = a.connections[0]!.trips[0]!.id
  const each: Case[] = [
    ['one fragment, once on a condition', 'fragment V on Vehicle { name make } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { one: trip(id: $trip) { vehicle { id ...V @include(if: $x) } } two: trip(id: $trip) { vehicle { id ...V @include(if: $y) } } }'],
    ['one fragment, twice in a selection', 'fragment V on Vehicle { name make } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle { id ...V @include(if: $x) ...V @include(if: $y) } } }'],
    ['one fragment in two inline fragments', 'fragment V on Vehicle { name make } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle { id ... @include(if: $x) { ...V } ... @include(if: $y) { ...V make } } } }'],
    ['a condition on one of two selections', 'query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle @include(if: $x) { id make } vehicle @include(if: $y) { name } id } }'],
    ['a condition on one of two, through fragments', 'fragment V on Vehicle { make latestLocation { speed } } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle @include(if: $x) { ...V } vehicle @include(if: $y) { name } id } }'],
    ['a condition on one of two, through inline fragments', 'query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle @include(if: $x) { ... on Vehicle { make } } vehicle @include(if: $y) { ... on Vehicle { name } } id } }'],
    ['conditions within a shared fragment', 'fragment V on Vehicle { id name @include(if: $x) groups { name @skip(if: $y) id } } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle { ...V } } vehicles(first: 1) { nodes { ...V @include(if: $y) } pageInfo { hasNextPage } } }'],
    ['a fragment on Node by the type of its place', 'fragment N on Node { id } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { node(id: $trip) { ... on Trip @include(if: $x) { ...N } ... on Vehicle @include(if: $y) { ...N } __typename } }'],
    ['nullable variables with defaults', 'query ($trip: ID!, $x: Boolean = true, $y: Boolean = false) { trip(id: $trip) { id distance @include(if: $x) duration @skip(if: $y) } }'],
    ['variables with defaults', 'query ($trip: ID!, $x: Boolean! = true, $y: Boolean! = false) { trip(id: $trip) { id distance @include(if: $x) duration @skip(if: $y) } }'],
    ['a list under conditions, twice', 'query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { id } vehicles(first: 2) { nodes @include(if: $x) { id } nodes @include(if: $y) { name groups { id } } pageInfo { hasNextPage } } }'],
  ]
  const choices = [[true, true], [true, false], [false, true], [false, false]]
  return [
    ...each.flatMap(([name, text]) =>
      choices.map(([x, y]): Case => [`${name}: ${String(x)}, ${String(y)}`, text, { variables: { trip, x, y } }]),
    ),
    ['defaults of conditions', each[8]![1], { variables: { trip } }],
    ['null for a condition', each[8]![1], { variables: { trip, x: null } }],
    ['required conditions by default', each[9]![1], { variables: { trip } }],
    ['null for a required condition', each[9]![1], { variables: { trip, x: null } }],
  ]
}

const argumentsAndVariables = ({ a }: PlantedFleets): Case[] => {
  const [first, second] = a.connections
  const [vehicle, other] = first!.vehicles
  return [
    ['defaults of variables', 'query ($first: Int = 2, $deleted: Boolean! = true) { vehicles(first: $first, deleted: $deleted) { nodes { name } } }'],
    ['defaults that are overridden', 'query ($first: Int = 2, $deleted: Boolean! = true) { vehicles(first: $first, deleted: $deleted) { nodes { name } } }', { variables: { first: 3, deleted: false } }],
    ['null over a default', 'query ($first: Int = 2) { vehicles(first: $first) { nodes { name } } }', { variables: { first: null } }],
    ['null literals', '{ vehicles(first: null, after: null, modifiedAfter: null) { nodes { name } } connections(status: null, tag: null) { nodes { id } } trips(vehicleIds: null, driverIds: null, last: null) { nodes { id } } }'],
    ['null variables', 'query ($first: Int, $ids: [ID!], $at: DateTime, $status: SyncStatus) { trips(first: $first, vehicleIds: $ids, startedAfter: $at) { nodes { id } } syncs(status: $status) { nodes { id } } }', { variables: { first: null, ids: null, at: null, status: null } }],
    ['variables that are left out', 'query ($first: Int, $ids: [ID!], $at: DateTime, $status: SyncStatus, $deleted: Boolean) { trips(first: $first, vehicleIds: $ids, startedAfter: $at) { nodes { id } } syncs(status: $status) { nodes { id } } vehicles(deleted: $deleted) { nodes { name } } }'],
    ['a nullable variable for a required argument with a default', 'query ($deleted: Boolean) { vehicles(deleted: $deleted) { nodes { name } } drivers { nodes { id } } }', { variables: { deleted: true } }],
    ['enum literals', '{ syncs(status: COMPLETED) { nodes { status } } connections(status: CONNECTED) { nodes { status syncMode } } none: connections(status: PENDING_DELETION) { nodes { id } } }'],
    ['enum variables', 'query ($sync: SyncStatus!, $connection: ConnectionStatus = ARCHIVED) { syncs(status: $sync) { nodes { status } } connections(status: $connection) { nodes { status } } }', { variables: { sync: 'IN_PROGRESS' } }],
    ['date literals', '{ trips(startedAfter: "2026-01-30T14:00:00Z", startedBefore: "2026-01-30T16:00:00.500+01:00") { nodes { startedAt } } }'],
    ['date variables', 'query ($from: DateTime, $to: DateTime) { trips(endedAfter: $from, endedBefore: $to) { nodes { endedAt } } vehicles(modifiedAfter: $from) { nodes { name } } }', { variables: { from: '2026-01-30T12:00:00Z', to: '2026-01-30T16:30:00-02:00' } }],
    ['date defaults', 'query ($from: DateTime = "2026-01-31T11:57:00Z") { vehicles { nodes { locations(startAt: $from, endAt: "2026-01-31T12:00:00Z") { nodes { locatedAt } } } } }'],
    ['one id for a list', 'query ($id: [ID!]) { trips(vehicleIds: $id) { nodes { vehicle { id } } } }', { variables: { id: vehicle!.id } }],
    ['a literal for a list', `{ trips(vehicleIds: "${vehicle!.id}") { nodes { vehicle { id } } } }`],
    ['variables within a list', 'query ($one: ID!, $two: ID!) { trips(vehicleIds: [$one, $two]) { nodes { vehicle { name } } } nodes(ids: [$two, "x", $one]) { id } }', { variables: { one: vehicle!.id, two: other!.id } }],
    ['an empty list', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } trips(vehicleIds: $ids) { nodes { id } pageInfo { hasNextPage startCursor } } events(types: []) { nodes { id } } }', { variables: { ids: [] } }],
    ['numbers for ids', 'query ($id: ID!) { vehicle(id: $id) { id } driver(id: 12) { id } }', { variables: { id: 7 } }],
    ['filters of connections', 'query ($ours: String) { connections(externalId: $ours, dotNumber: "1234567", tag: "west", provider: "sandbox") { nodes { id } } }', { variables: { ours: 'ours-1' } }],
    ['filters of locations', 'query ($v: [ID!], $d: [ID!]) { byVehicle: vehicleLocations(vehicleIds: $v) { nodes { vehicle { name } } } byDriver: vehicleLocations(driverIds: $d) { nodes { driver { firstName } } } }', { variables: { v: [vehicle!.id, unknownId('vehicle')], d: [first!.drivers[0]!.id] } }],
    ['filters of records', 'query ($d: [ID!]) { trips(driverIds: $d) { nodes { driver { id } } } safetyEvents(driverIds: $d, startedAfter: "2026-01-30T00:00:00Z") { nodes { type } } }', { variables: { d: [first!.drivers[0]!.id, second!.drivers[0]!.id] } }],
    ['filters of nested lists', 'query ($d: [ID!]) { vehicles { nodes { trips(driverIds: $d, endedAfter: "2026-01-30T12:30:00Z") { nodes { id } } safetyEvents(startedBefore: "2026-01-30T00:00:00Z") { nodes { type } } } } }', { variables: { d: [first!.drivers[0]!.id] } }],
    ['filters of the log', 'query ($c: [ID!], $after: ID) { events(types: ["vehicle.added", "driver.added"], connectionIds: $c, after: $after) { nodes { type connection { id } } pageInfo { hasPreviousPage endCursor } } }', { variables: { c: [second!.connection.id], after: first!.events[2]!.id } }],
  ]
}

const pages = ({ a }: PlantedFleets, given: Cursors): Case[] => {
  const vehicle = a.connections[0]!.vehicles[0]!.id
  const page = 'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  return [
    ['forward', `query ($after: String) { vehicles(first: 2, after: $after) { ${page} } }`, { variables: { after: given.vehicles[1] } }],
    ['backward', `query ($before: String) { vehicles(last: 2, before: $before) { ${page} } }`, { variables: { before: given.vehicles.at(-1) } }],
    ['from both ends', `query ($after: String, $before: String) { trips(first: 3, after: $after, before: $before) { ${page} } }`, { variables: { after: given.trips[1], before: given.trips[5] } }],
    ['the last page', `query ($after: String) { trips(after: $after) { ${page} } }`, { variables: { after: given.trips.at(-2) } }],
    ['an empty page', `query ($after: String) { trips(after: $after) { ${page} } }`, { variables: { after: given.trips.at(-1) } }],
    ['newest first', `query ($after: String) { syncs(first: 2, after: $after) { ${page} } }`, { variables: { after: given.syncs[0] } }],
    ['pages of connections', `query ($after: String) { connections(first: 1, after: $after) { edges { node { vehicles(first: 1) { ${page} } } } ${page} } }`, { variables: { after: given.connections[0] } }],
    ['pages of a track', `query ($id: ID!, $after: String) { vehicle(id: $id) { name locations(first: 2, after: $after) { ${page} } } }`, { variables: { id: vehicle, after: given.track[2] } }],
    ['nested pages backward', `{ vehicles { nodes { trips(last: 1) { ${page} } locations(last: 2) { nodes { locatedAt } } } } }`],
  ]
}

const nodes = ({ a, b }: PlantedFleets): Case[] => {
  const [first] = a.connections
  const [foreign] = b.connections
  const { groups, drivers, vehicles, devices, trips, safetyEvents, syncs, connection, events } = first!
  const kinds = [connection, syncs[0]!, groups[0]!, drivers[0]!, vehicles[0]!, devices[0]!, trips[0]!, safetyEvents[0]!]
  const every = '__typename id ... on Vehicle { name latestLocation { speed } } ... on Driver { firstName } ... on Group { name } ... on Device { type vehicle { name } } ... on Trip { distance vehicle { name } } ... on SafetyEvent { kind: type driver { firstName } } ... on Sync { status progress connection { id } } ... on Connection { state: status tags vehicles(first: 1) { nodes { name } } }'
  const ids = [
    ...kinds.map(({ id }) => id), vehicles[2]!.id, vehicles[0]!.id, unknownId('vehicle'), unknownId('trip'), foreign!.vehicles[0]!.id,
    foreign!.connection.id, foreign!.trips[0]!.id, 'nonsense', '', 'vcl_1', events[0]!.id, a.id, unknownId('vehicleLocation'),
  ]
  return [
    ['nodes of every kind and none', `query ($ids: [ID!]!) { nodes(ids: $ids) { ${every} } }`, { variables: { ids } }],
    ['nodes by id alone', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }', { variables: { ids } }],
    ['nodes of one type among many', 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Vehicle { name } } }', { variables: { ids } }],
    ...kinds.map(({ id }, at): Case => [`node of kind ${at}`, `query ($id: ID!) { node(id: $id) { ${every} } }`, { variables: { id } }]),
    ['node of an unknown id', `query ($id: ID!) { node(id: $id) { ${every} } }`, { variables: { id: unknownId('driver') } }],
    ['node of a foreign id', `query ($id: ID!) { node(id: $id) { ${every} } }`, { variables: { id: foreign!.vehicles[0]!.id } }],
    ['node of no id', `query ($id: ID!) { node(id: $id) { ${every} } }`, { variables: { id: 'vehicle' } }],
    ['records by unknown ids', `{ vehicle(id: "${unknownId('vehicle')}") { name } trip(id: "${unknownId('trip')}") { id } driver(id: "x") { id } safetyEvent(id: "") { id } sync(id: "${vehicles[0]!.id}") { id } connection(id: "${unknownId('connection')}") { id } }`],
    ['records by foreign ids', `{ vehicle(id: "${foreign!.vehicles[0]!.id}") { name } connection(id: "${foreign!.connection.id}") { id token } sync(id: "${foreign!.syncs[0]!.id}") { id } }`],
    ['records by their ids', `{ vehicle(id: "${vehicles[2]!.id}") { name metadata { visibility } } trip(id: "${trips[10]!.id}") { distance } safetyEvent(id: "${safetyEvents[0]!.id}") { type } sync(id: "${syncs[0]!.id}") { failureReason } connection(id: "${connection.id}") { externalId } driver(id: "${drivers[2]!.id}") { firstName } }`],
  ]
}

/** Mentions of rows that do not exist. */
const missing = ({ a }: PlantedFleets): Case[] => {
  const [first] = a.connections
  const trip = first!.trips[9]!.id
  const one = (selection: string) => `query ($trip: ID!) { trip(id: $trip) { distance ${selection} } }`
  const cases: readonly (readonly [string, string])[] = [
    ['nothing but ids', 'vehicle { id } driver { id }'],
    ['nullable fields', 'vehicle { name } driver { firstName }'],
    ['ids and nullable fields', 'vehicle { id name } driver { id firstName }'],
    ['required fields', 'vehicle { status metadata { addedAt } } driver { status }'],
    ['fields of others alone', 'vehicle { latestLocation { speed } trips { nodes { id } } } driver { trips { nodes { id } } }'],
    ['fields of the owner and of others', 'vehicle { name latestLocation { speed } trips { nodes { id } } groups { name } } driver { lastName safetyEvents { nodes { id } } }'],
    ['the type', 'vehicle { __typename } driver { __typename firstName }'],
    ['skipped fields', 'vehicle { id name @include(if: false) } driver { id ... @skip(if: true) { firstName } }'],
    ['skipped selections', 'vehicle { id } vehicle @include(if: false) { name }'],
  ]
  return [
    ...cases.map(([name, selection]): Case => [`missing rows: ${name}`, one(selection), { variables: { trip } }]),
    ['missing rows in lists', '{ trips { nodes { id vehicle { name } driver { status } } } safetyEvents { nodes { vehicle { vin } } } }'],
    ['missing rows of the same subgraph', '{ devices { nodes { vehicle { id name } } } groups { nodes { parent { name } } } vehicles { nodes { groups { name } } } }'],
    ['missing rows of the same subgraph by id', '{ devices { nodes { vehicle { id } } } groups { nodes { parent { id } } } vehicles { nodes { groups { id } } } }'],
    ['missing rows of the same subgraph with fields of others', '{ devices { nodes { vehicle { latestLocation { speed } trips { nodes { id } } } } } }'],
    ['missing drivers of locations', '{ vehicleLocations { nodes { driver { firstName status } vehicle { name } } } }'],
    ['missing subjects', '{ events { nodes { type subject { id ... on Vehicle { name status } } } } }'],
    ['missing subjects by id', '{ events { nodes { type subject { id __typename } } } }'],
  ]
}

const refusals = ({ a }: PlantedFleets): Case[] => {
  const [first] = a.connections
  const vehicle = first!.vehicles[0]!.id
  const many = Array.from({ length: 101 }, () => vehicle)
  return [
    ['a bad cursor', '{ vehicles(after: "bad") { nodes { id } } }'],
    ['a bad cursor beside data', '{ vehicles(after: "bad") { nodes { id } } drivers { nodes { id } } }'],
    ['a bad cursor beside a nullable field', `{ vehicle(id: "${vehicle}") { name trips(after: "bad") { nodes { id } } } driver(id: "${first!.drivers[0]!.id}") { firstName } }`],
    ['first of nothing', '{ trips(first: 0) { nodes { id } } }'],
    ['last of less than nothing', '{ syncs(last: -1) { nodes { id } } }'],
    ['first and last', '{ groups(first: 1, last: 1) { nodes { id } } }'],
    ['refused in a nested list of one', `{ vehicle(id: "${vehicle}") { name locations(first: 0) { nodes { id } } } provider(code: "sandbox") { name } }`],
    ['refused in the nested list of an entity', `{ trip(id: "${first!.trips[0]!.id}") { distance vehicle { name trips(first: 0) { nodes { id } } } } }`],
    ['refused in the nested list of each of many', `{ trips(vehicleIds: ["${vehicle}", "${first!.vehicles[1]!.id}"]) { nodes { distance vehicle { name trips(first: 0) { nodes { id } } } } } }`],
    ['refused in the nested list of mentions', '{ trips { nodes { distance vehicle { id locations(first: 0) { nodes { id } } } } } }'],
    ['refused in each of a list that is required', '{ vehicles { nodes { name trips(first: 0) { nodes { id } } } } provider(code: "sandbox") { name } }'],
    ['refused twice in one object', `{ vehicle(id: "${vehicle}") { name a: trips(first: 0) { nodes { id } } b: trips(after: "bad") { nodes { id } } } provider(code: "sandbox") { name } }`],
    ['refused in two subgraphs', `{ vehicle(id: "${vehicle}") { name trips(first: 0) { nodes { id } } locations(first: 0) { nodes { id } } } provider(code: "sandbox") { name } }`, { race: true }],
    ['refused under an alias', `{ v: vehicle(id: "${vehicle}") { n: name t: trips(first: 0) { nodes { id } } } }`],
    ['refused for some subjects', '{ events { nodes { type subject { id ... on Vehicle { name trips(first: 0) { nodes { id } } } ... on Driver { firstName } } } } }'],
    ['refused in nodes', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Vehicle { name locations(first: 0) { nodes { id } } } } }', { variables: { ids: [vehicle, first!.drivers[0]!.id, first!.vehicles[1]!.id] } }],
    ['too many ids', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids: many } }],
    ['too many ids beside data', 'query ($ids: [ID!]!) { trips(vehicleIds: $ids) { nodes { id } } provider(code: "sandbox") { name } }', { variables: { ids: many.map((id, at) => `${id}${at}`) } }],
    ['too many ids in a nullable place', `query ($ids: [ID!]!) { trip(id: "${first!.trips[0]!.id}") { distance vehicle { trips(driverIds: $ids) { nodes { id } } } } }`, { variables: { ids: many.map((id, at) => `${id}${at}`) } }],
    ['after an unknown event', `{ events(after: "${unknownId('event')}") { nodes { id } } }`],
    ['the first none of the log', '{ events(first: 0) { nodes { id } } }'],
    ['no connection token', '{ connection { id } }'],
    ['no connection token beside data', '{ connection { id } providers { code } vehicles(first: 1) { nodes { id } } }'],
    ['no connection token, twice', '{ connection { id } again: connection { status } }'],
  ]
}

/** Arguments and variables that do not fit. */
const misfits = ({ a }: PlantedFleets): Case[] => [
  ['a text for a number', 'query ($first: Int) { vehicles(first: $first) { nodes { id } } }', { variables: { first: 'two' } }],
  ['a fraction for a number', 'query ($first: Int) { vehicles(first: $first) { nodes { id } } }', { variables: { first: 1.5 } }],
  ['a number out of range', 'query ($first: Int) { vehicles(first: $first) { nodes { id } } }', { variables: { first: 3_000_000_000 } }],
  ['an object for an id', 'query ($id: ID!) { vehicle(id: $id) { id } }', { variables: { id: { $ne: null } } }],
  ['a required variable that is left out', 'query ($id: ID!) { vehicle(id: $id) { id } }'],
  ['null for a required variable', 'query ($id: ID!) { vehicle(id: $id) { id } }', { variables: { id: null } }],
  ['null in a list', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { variables: { ids: [null] } }],
  ['no such enum value', 'query ($status: SyncStatus) { syncs(status: $status) { nodes { id } } }', { variables: { status: 'completed' } }],
  ['a number for an enum value', 'query ($status: SyncStatus) { syncs(status: $status) { nodes { id } } }', { variables: { status: 1 } }],
  ['no date', 'query ($at: DateTime) { trips(startedAfter: $at) { nodes { id } } }', { variables: { at: 'yesterday' } }],
  ['a date without a zone', 'query ($at: DateTime) { trips(startedAfter: $at) { nodes { id } } }', { variables: { at: '2026-01-31T12:00:00' } }],
  ['a number for a date', 'query ($at: DateTime) { trips(startedAfter: $at) { nodes { id } } }', { variables: { at: NOON } }],
  ['no date for a nested list', 'query ($at: DateTime) { vehicles { nodes { trips(startedAfter: $at) { nodes { id } } } } }', { variables: { at: 'yesterday' } }],
  ['no boolean', 'query ($yes: Boolean!) { vehicles { nodes { id @include(if: $yes) name } } }', { variables: { yes: 'yes' } }],
  ['two variables that do not fit', 'query ($first: Int!, $at: DateTime!) { trips(first: $first, startedAfter: $at) { nodes { id } } }', { variables: { first: 'x', at: 'y' } }],
  ['null for an argument that has a default', 'query ($deleted: Boolean) { vehicles(deleted: $deleted) { nodes { id } } }', { variables: { deleted: null } }],
  ['null for a nested argument that has a default', `query ($deleted: Boolean) { connection(id: "${a.connections[0]!.connection.id}") { id vehicles(deleted: $deleted) { nodes { id } } } providers { code } }`, { variables: { deleted: null } }],
  ['variables that no one asked for', '{ vehicles(first: 1) { nodes { id } } }', { variables: { spare: 1 } }],
]

const introspection: readonly Case[] = [
  ['the names of types', '{ __schema { queryType { name } subscriptionType { name } types { name kind } } }'],
  ['one type', '{ __type(name: "Vehicle") { name kind description interfaces { name } fields(includeDeprecated: true) { name isDeprecated deprecationReason args { name defaultValue type { name kind ofType { name } } } type { name kind ofType { name kind } } } } }'],
  ['an enum', '{ __type(name: "SyncStatus") { enumValues { name description } } unknown: __type(name: "Nothing") { name } }'],
  ['an interface', '{ __type(name: "Node") { possibleTypes { name } } }'],
  ['introspection beside data', '{ __typename __type(name: "Trip") { name } vehicles(first: 1) { nodes { name __typename } } }'],
]

const operations = ({ a }: PlantedFleets): Case[] => {
  const two = 'query One { vehicles(first: 1) { nodes { ...V } } } query Two($yes: Boolean!) { drivers(first: 1) { nodes { id } } vehicles(first: 2) { nodes { ...V @include(if: $yes) __typename } } } fragment V on Vehicle { name groups { name } }'
  const variables = { yes: false }
  return [
    ['the first of two operations', two, { operationName: 'One' }],
    ['the second of two operations', two, { operationName: 'Two', variables }],
    ['the first again', two, { operationName: 'One', variables }],
    ['a name for the only operation', `query Only { vehicle(id: "${a.connections[0]!.vehicles[0]!.id}") { name } }`, { operationName: 'Only' }],
    ['no name for two operations', two],
    ['a name that no operation has', two, { operationName: 'Three' }],
  ]
}

/** With the token of the first connection. */
const narrowed = ({ a }: PlantedFleets): Case[] => {
  const [, second] = a.connections
  return [
    ['the connection of the token', '{ connection { id externalId vehicles { nodes { name } } } }'],
    ['another connection', `{ connection(id: "${second!.connection.id}") { id } vehicle(id: "${second!.vehicles[0]!.id}") { name } }`],
    ['every list of one connection', '{ connections { nodes { id } } vehicles { nodes { id } } drivers { nodes { id } } groups { nodes { id } } devices { nodes { id } } trips { nodes { id } } safetyEvents { nodes { id } } vehicleLocations { nodes { vehicle { id } } } syncs { nodes { id } } events { nodes { id } } }'],
    ['subjects of one connection', '{ events { nodes { subject { __typename ... on Vehicle { name } } connection { externalId } } } }'],
  ]
}

/** Values that their types cannot represent, in places that may be null and in places that may not. */
const brokenValues = ({ broken }: PlantedFleets): Case[] => {
  const [first] = broken.connections
  const [sound, fuel, status] = first!.vehicles
  return [
    ['an error in a nullable field', `{ vehicle(id: "${fuel!.id}") { name fuelType status } }`],
    ['an error in a required field', `{ vehicle(id: "${status!.id}") { name status } other: vehicle(id: "${sound!.id}") { name status } }`],
    ['an error in a required field of a list', '{ vehicles { nodes { name status } } providers { code } }'],
    ['errors in nullable fields of a list', '{ vehicles { nodes { name fuelType } } }'],
    ['an error in a required field of a mention', '{ trips { nodes { id vehicle { name status } } } }'],
    ['an error in a required field, under an alias and a fragment', 'fragment V on Vehicle { n: name s: status } { trips { nodes { id v: vehicle { ...V } } } }'],
    ['an error below a mention', '{ trips { nodes { vehicle { name latestLocation { speed engineState } } } } }'],
    ['an error in the same subgraph', '{ devices { nodes { id vehicle { name status } } } }'],
    ['an error in a required field of a subject', '{ events { nodes { id subject { id ... on Vehicle { name status } } } } }'],
    ['an error in a required field of nodes', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Vehicle { status } } }', { variables: { ids: [sound!.id, status!.id] } }],
    ['an error that a resolver throws', '{ connections { nodes { id provider { name } } } }'],
    ['an error that a resolver throws, from a nullable place', `{ syncs { nodes { id connection { id provider { name } } } } one: connection(id: "${broken.connections[1]!.connection.id}") { id provider { name } } }`],
    ['an error that a resolver throws, beside data', '{ connections { nodes { provider { name } } } vehicles { nodes { name } } }'],
    ['an error that a resolver throws for a mention', '{ events { nodes { connection { id provider { name } } } } }'],
    ['errors of two kinds at once', `{ vehicle(id: "${status!.id}") { fuelType status } one: connection(id: "${broken.connections[1]!.connection.id}") { provider { name } } two: vehicle(id: "${sound!.id}") { trips(first: 0) { nodes { id } } } }`],
  ]
}

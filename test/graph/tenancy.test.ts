import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../src/gateway/context.ts'
import { fusedEngine } from '../../src/gateway/gateway.ts'
import { idPrefixes, type Kind } from '../../src/ids.ts'
import type { Database } from '../../src/storage/database.ts'
import { tableOf } from '../../src/storage/table.ts'
import { Device } from '../../src/subgraphs/fleet/device.ts'
import { Vehicle } from '../../src/subgraphs/fleet/vehicle.ts'
import { Trip } from '../../src/subgraphs/records/trip.ts'
import { LatestVehicleLocation } from '../../src/subgraphs/telemetry/location.ts'
import { LogEntry } from '../../src/storage/outbox.ts'
import {
  deviceRow,
  dialects,
  eventRow,
  latestLocationRow,
  type Party,
  type PlantedConnection,
  temporaryDatabase,
  tripRow,
  unknownId,
  vehicleRow,
} from '../factories.ts'
import { plantFleets, type PlantedFleets } from './fleets.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from './rig.ts'

const engine = fusedEngine(supergraph)

/** Something that a caller could ask for by what it knows of someone else. */
interface Attempt {
  readonly text: string
  /** What is said of someone else's connection. */
  readonly variables: (theirs: Theirs) => Record<string, unknown>
}

/** What is known of a connection: ids of its records by kind, and a cursor that each list gave to its owner. */
interface Theirs {
  readonly ids: Readonly<Record<Kind, string>>
  readonly cursorOf: (list: string) => string
}

const byId = (field: string, kind: Kind, selection = 'id'): Attempt => ({
  text: `query ($id: ID!) { ${field}(id: $id) { __typename ${selection} } }`,
  variables: ({ ids }) => ({ id: ids[kind] }),
})

const byCursor = (list: string, record = 'id'): Attempt[] =>
  ['after', 'before'].map((side) => ({
    text: `query ($cursor: String) { ${list}(${side}: $cursor) { nodes { ${record} } pageInfo { hasNextPage endCursor } } }`,
    variables: ({ cursorOf }) => ({ cursor: cursorOf(list) }),
  }))

const byFilter = (list: string, filter: string, kind: Kind, record = 'id'): Attempt => ({
  text: `query ($ids: [ID!]) { ${list}(${filter}: $ids) { nodes { ${record} } pageInfo { hasNextPage endCursor } } }`,
  variables: ({ ids }) => ({ ids: [ids[kind]] }),
})

const place = 'speed locatedAt'

const ofRecords = (list: string): Attempt[] => [
  ...byCursor(list),
  byFilter(list, 'vehicleIds', 'vehicle'),
  byFilter(list, 'driverIds', 'driver'),
]

const kinds = Object.keys(idPrefixes) as Kind[]

/** For each root field every way to name what is someone else's. A field that takes nothing of anyone has no way. */
const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  connection: [byId('connection', 'connection', 'id token status'), byId('connection', 'vehicle')],
  connections: byCursor('connections'),
  sync: [byId('sync', 'sync', 'id status connection { id token }')],
  syncs: byCursor('syncs'),
  node: kinds.map((kind) => byId('node', kind)),
  nodes: [
    {
      text: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Vehicle { name } ... on Trip { distance } ... on Connection { token } } }',
      variables: ({ ids }) => ({ ids: Object.values(ids) }),
    },
  ],
  providers: [],
  provider: [
    {
      text: 'query ($id: String!) { provider(code: $id) { name } }',
      variables: ({ ids }) => ({ id: ids.connection }),
    },
  ],
  events: [
    byFilter('events', 'connectionIds', 'connection', 'id type detail subject { id } connection { id }'),
    {
      text: 'query ($id: ID) { events(after: $id) { nodes { id detail } } }',
      variables: ({ ids }) => ({ id: ids.event }),
    },
  ],
  vehicles: byCursor('vehicles'),
  vehicle: [byId('vehicle', 'vehicle', 'name raw { data } trips { nodes { id } } latestLocation { speed }')],
  drivers: byCursor('drivers'),
  driver: [byId('driver', 'driver', 'firstName trips { nodes { id } }')],
  groups: byCursor('groups'),
  devices: byCursor('devices'),
  trips: ofRecords('trips'),
  trip: [byId('trip', 'trip', 'distance vehicle { id }')],
  safetyEvents: ofRecords('safetyEvents'),
  safetyEvent: [byId('safetyEvent', 'safetyEvent', 'type vehicle { id }')],
  vehicleLocations: [
    ...byCursor('vehicleLocations', place),
    byFilter('vehicleLocations', 'vehicleIds', 'vehicle', place),
    byFilter('vehicleLocations', 'driverIds', 'driver', place),
  ],
}

const lists = Object.values(supergraph.apiSchema.getQueryType()!.getFields()).filter(({ type }) =>
  String(type).endsWith('Page!'),
)

const nobodys: Theirs = {
  ids: Object.fromEntries(kinds.map((kind) => [kind, unknownId(kind).replace(/.$/, 'Q')])) as Record<
    Kind,
    string
  >,
  cursorOf: () => 'bm8gY3Vyc29yIG9mIG91cnM',
}

/** Who asks, who owns what it asks for, and what that is. */
type Situation = (fleets: PlantedFleets) => [Party, Party, PlantedConnection]

const situations: Readonly<Record<string, Situation>> = {
  'an application asks for what is of another': ({ a, b }) => [a.party, b.narrowed(0), b.connections[0]!],
  'a connection asks for what is of another application': ({ a, b }) => [
    a.narrowed(0),
    b.narrowed(0),
    b.connections[0]!,
  ],
  'a connection asks for what is of another': ({ a }) => [a.narrowed(0), a.narrowed(1), a.connections[1]!],
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleets: PlantedFleets

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleets = await plantFleets(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const answerTo = (party: Party, text: string, variables = {}): Promise<Answer> =>
    ask(engine, contextFor, { party, document: documentOf(text), variables })

  async function known(owner: Party, planted: PlantedConnection): Promise<Theirs> {
    const cursors = new Map<string, string>()
    for (const { name } of lists) {
      const { data } = await answerTo(owner, `{ ${name}(first: 2) { pageInfo { endCursor } } }`)
      cursors.set(
        name,
        (data as Record<string, { pageInfo: { endCursor: string } }>)[name]!.pageInfo.endCursor,
      )
    }
    return { ids: idsOf(planted), cursorOf: (list) => cursors.get(list)! }
  }

  describe.each(Object.entries(situations))('%s', (_, situation) => {
    test.each(Object.keys(attempts))('%s answers as if it did not exist', async (field) => {
      const [party, owner, planted] = situation(fleets)
      const theirs = await known(owner, planted)
      for (const { text, variables } of attempts[field]!) {
        const answer = await answerTo(party, text, variables(theirs))
        expect([text, answer]).toEqual([text, await answerTo(party, text, variables(nobodys))])
        expectNothingOf(planted, answer)
      }
    })

    test('every attempt gets an answer when its owner makes it', async () => {
      const [, owner, planted] = situation(fleets)
      const theirs = await known(owner, planted)
      for (const { text, variables } of [
        ...attempts['vehicle']!,
        ...attempts['trips']!,
        ...attempts['events']!,
        ...attempts['sync']!,
      ]) {
        const answer = await answerTo(owner, text, variables(theirs))
        expect([text, answer]).not.toEqual([text, await answerTo(owner, text, variables(nobodys))])
      }
    })

    test('no list shows any of it', async () => {
      const [party, , planted] = situation(fleets)
      for (const text of WHOLE_LISTS) {
        const answer = await answerTo(party, text)
        expect(answer.errors).toBeUndefined()
        expect(JSON.stringify(answer).length).toBeGreaterThan(500)
        expectNothingOf(planted, answer)
      }
    })

    test('records that mention its rows mention no rows', async () => {
      const own = await plantFleets(db)
      const [party, , planted] = situation(own)
      const [mine] = own.a.connections
      const [theirs, none] = [idsOf(planted), nobodys.ids]
      const told = await answerTo(party, MENTIONS, await plantMentions(mine!, theirs))
      const expected = await answerTo(party, MENTIONS, await plantMentions(mine!, none))
      expect(withoutIds(told, theirs)).toEqual(withoutIds(expected, none))
    })
  })

  /** Rows of one connection whose columns hold the ids of another's. */
  async function plantMentions({ connection }: PlantedConnection, ids: Theirs['ids']) {
    const owner = { applicationId: connection.applicationId, connectionId: connection.id }
    const trip = tripRow(owner, { vehicleId: ids.vehicle, driverId: ids.driver })
    const vehicle = vehicleRow(owner, { groupIds: [ids.group] })
    const device = deviceRow(owner, { vehicleId: ids.vehicle })
    const subjects = [ids.vehicle, ids.connection, ids.sync, ids.trip, ids.group]
    const events = subjects.map((subjectId, at) =>
      eventRow(owner, { subjectId, position: nextPosition() + at, type: 'odd' }),
    )
    await db.transaction(async (tx) => {
      await tx.insert(tableOf(Trip), [trip])
      await tx.insert(tableOf(Vehicle), [vehicle])
      await tx.insert(tableOf(Device), [device])
      await tx.insert(tableOf(LatestVehicleLocation), [
        latestLocationRow(owner, { vehicleId: vehicle.id, driverId: ids.driver }),
      ])
      await tx.insert(tableOf(LogEntry), events)
    })
    return { trip: trip.id, vehicle: vehicle.id, device: device.id, after: events[0]!.id }
  }
})

test('every root field has its attempts', () => {
  expect(Object.keys(attempts).sort()).toEqual(
    Object.keys(supergraph.apiSchema.getQueryType()!.getFields()).sort(),
  )
})

test('every argument that takes ids or a cursor is tried', () => {
  const takes = ['ID', '[ID', 'after', 'before']
  for (const { name, args } of Object.values(supergraph.apiSchema.getQueryType()!.getFields()))
    for (const argument of args.filter((one) =>
      takes.some((word) => String(one.type).startsWith(word) || one.name === word),
    ))
      if (argument.name !== 'externalId')
        expect(
          attempts[name]!.some(({ text }) => text.includes(`${argument.name}: $`)),
          `${name}(${argument.name})`,
        ).toBe(true)
})

let position = 1_000_000
const nextPosition = () => (position += 10)

const MENTIONS = /* GraphQL */ `
  query ($trip: ID!, $vehicle: ID!, $device: ID!, $after: ID!) {
    trip(id: $trip) {
      vehicle {
        name
        status
      }
      driver {
        firstName
      }
      v: vehicle {
        id
        latestLocation {
          speed
        }
        locations {
          nodes {
            id
          }
        }
        trips {
          nodes {
            sourceId
            distance
          }
        }
        safetyEvents {
          nodes {
            id
          }
        }
      }
      d: driver {
        id
        trips {
          nodes {
            distance
          }
        }
        safetyEvents {
          nodes {
            id
          }
        }
      }
    }
    vehicle(id: $vehicle) {
      groups {
        name
      }
      latestLocation {
        driver {
          lastName
        }
      }
    }
    node(id: $device) {
      ... on Device {
        vehicle {
          vin
        }
        seen: vehicle {
          latestLocation {
            speed
          }
        }
      }
    }
    events(after: $after) {
      nodes {
        subject {
          ... on Vehicle {
            name
          }
          ... on Connection {
            token
          }
          ... on Sync {
            progress
          }
          ... on Trip {
            distance
          }
          ... on Group {
            sourceId
          }
        }
      }
    }
  }
`

const WHOLE_LISTS = [
  '{ connections { nodes { id vehicles { nodes { id } } drivers { nodes { id } } groups { nodes { id } } devices { nodes { id } } lastSync { id } agreements { id } } } }',
  '{ vehicles(deleted: true) { nodes { id groups { id } devices { id } raw { data } trips { nodes { id } } safetyEvents { nodes { id } } latestLocation { vehicle { id } driver { id } } locations { nodes { id } } } } }',
  '{ drivers(deleted: true) { nodes { id groups { id } trips { nodes { id } } safetyEvents { nodes { id } } } } groups(deleted: true) { nodes { id parent { id } } } devices(deleted: true) { nodes { id vehicle { id } } } }',
  '{ trips { nodes { id vehicle { id } driver { id } } } safetyEvents { nodes { id vehicle { id } driver { id } } } vehicleLocations { nodes { vehicle { id } driver { id } } } }',
  '{ syncs { nodes { id connection { id token } } } events(types: ["vehicle.added", "driver.added", "connection.added"]) { nodes { id subject { id } connection { id } } } }',
]

const idsOf = (planted: PlantedConnection): Theirs['ids'] => ({
  application: planted.connection.applicationId,
  key: unknownId('key'),
  connection: planted.connection.id,
  agreement: planted.agreements[0]!.id,
  sync: planted.syncs[0]!.id,
  vehicle: planted.vehicles[0]!.id,
  driver: planted.drivers[0]!.id,
  group: planted.groups[0]!.id,
  device: planted.devices[0]!.id,
  trip: planted.trips[0]!.id,
  safetyEvent: planted.safetyEvents[0]!.id,
  vehicleLocation: unknownId('vehicleLocation'),
  event: planted.events[0]!.id,
})

/** Not an id of it and not its token stands anywhere in the answer. */
function expectNothingOf(planted: PlantedConnection, answer: Answer): void {
  const text = JSON.stringify(answer)
  const { connection, agreements, syncs, vehicles, drivers, groups, devices, trips, safetyEvents, events } =
    planted
  const rows = [
    connection,
    ...agreements,
    ...syncs,
    ...vehicles,
    ...drivers,
    ...groups,
    ...devices,
    ...trips,
    ...safetyEvents,
    ...events,
  ]
  for (const secret of [planted.token, connection.tokenSealed, ...rows.map(({ id }) => id)])
    expect(text).not.toContain(secret)
}

function withoutIds(answer: Answer, ids: Theirs['ids']): unknown {
  const text = Object.entries(ids).reduce(
    (rest, [kind, id]) => rest.replaceAll(id, kind),
    JSON.stringify(answer),
  )
  return JSON.parse(text.replaceAll(/"sourceId":"\w+"/g, '"sourceId":"…"'))
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { IssueStatus } from '../../../src/subgraphs/connections/issues/issue.ts'
import { SyncStatus } from '../../../src/subgraphs/connections/syncs/sync.ts'
import {
  type ApiClient,
  type ConnectionValues,
  dialects,
  driverRow,
  groupRow,
  NOON,
  type Owner,
  type RecordsOf,
  safetyEventRow,
  seedApplication,
  type SeededApplication,
  syncRow,
  temporaryDatabase,
  tripRow,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { issueRow, trailerRow } from '../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)

/** Two groups, one below the other, and members of one, both and none of them. */
function groupsWithMembers(owner: Owner) {
  const region = groupRow(owner)
  const terminal = groupRow(owner, { parentId: region.id })
  const memberships = [[region.id], [region.id, terminal.id], [], [unknownId('group')]]
  return {
    groups: [region, terminal, groupRow(owner, { parentId: region.id, deletedAt: NOON })],
    vehicles: [
      ...memberships.map((groupIds) => vehicleRow(owner, { groupIds })),
      vehicleRow(owner, { groupIds: [terminal.id], deletedAt: NOON, modifiedAt: NOON }),
    ],
    drivers: memberships.map((groupIds) => driverRow(owner, { groupIds })),
    trailers: memberships.map((groupIds) => trailerRow(owner, { groupIds })),
  }
}

/** A trip, and safety events of its vehicle before, in and after it. A second vehicle has an event at the same time. */
const eventsAround =
  (startedAt: number, endedAt: number): RecordsOf =>
  (owner) => {
    const vehicles = [vehicleRow(owner), vehicleRow(owner)]
    const [vehicleId, other] = [vehicles[0]!.id, vehicles[1]!.id]
    const eventAt = (at: number, values = {}) =>
      safetyEventRow(owner, { vehicleId, startedAt: at, ...values })
    return {
      vehicles,
      trips: [
        tripRow(owner, { vehicleId, startedAt, endedAt }),
        tripRow(owner, { vehicleId: other, startedAt: 0, endedAt: 1 }),
      ],
      safetyEvents: [
        eventAt(startedAt - 1),
        eventAt(startedAt),
        eventAt(endedAt - 2),
        eventAt(endedAt - 1, { deletedAt: NOON }),
        eventAt(endedAt),
        eventAt(startedAt, { vehicleId: other }),
      ],
    }
  }

const records: RecordsOf = (owner) => ({
  ...groupsWithMembers(owner),
  syncs: [
    syncRow(owner),
    syncRow(owner, { status: SyncStatus.FAILED, failureReason: 'cancelled' }),
    syncRow(owner),
  ],
  issues: [
    issueRow(owner),
    issueRow(owner, { status: IssueStatus.RESOLVED }),
    issueRow(owner, { lastReportedAt: 0 }),
  ],
})

interface Nested {
  readonly totalCount: number
  readonly nodes: readonly { readonly id: string }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const PAGE = '{ totalCount nodes { id } pageInfo { hasNextPage endCursor } }'

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, [records, records, () => ({})])
    await seedApplication(db, [records])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const execute = (client: ApiClient, text: string, variables = {}): Promise<Answer> =>
    ask(executor, contextFor, { client, document: documentOf(text), variables })

  /** Returns a field of each record of a list. */
  async function nestedLists(client: ApiClient, list: string, field: string, args = ''): Promise<Nested[]> {
    const { data, errors } = await execute(
      client,
      `{ list: ${list} { nodes { nested: ${field}${args} ${PAGE} } } }`,
    )
    expect(errors).toBeUndefined()
    return (data as { list: { nodes: { nested: Nested }[] } }).list.nodes.map(({ nested }) => nested)
  }

  const idsOf = (lists: readonly Nested[]) => lists.map(({ nodes }) => nodes.map(({ id }) => id))
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

  test('a connection has its own syncs, newest first', async () => {
    const expected = fleet.connections.map(({ syncs }) => ids(syncs).toReversed())
    const lists = await nestedLists(fleet.client, 'connections', 'syncs')
    expect(idsOf(lists)).toEqual(expected)
    expect(lists.map(({ totalCount }) => totalCount)).toEqual([3, 3, 0])
    for (const index of [0, 1, 2])
      expect(idsOf(await nestedLists(fleet.narrowed(index), 'connections', 'syncs'))).toEqual([
        expected[index],
      ])
  })

  test('a connection has the syncs with a status', async () => {
    const expected = fleet.connections.map(({ syncs }) =>
      ids(syncs.filter(({ status }) => status === SyncStatus.COMPLETED)).toReversed(),
    )
    expect(idsOf(await nestedLists(fleet.client, 'connections', 'syncs', '(status: COMPLETED)'))).toEqual(
      expected,
    )
  })

  test('a connection has its own issues, in the order of the root list', async () => {
    const expected = fleet.connections.map(({ issues }) => ids(issues))
    expect(idsOf(await nestedLists(fleet.client, 'connections', 'issues'))).toEqual(expected)
    const root = await execute(fleet.narrowed(1), `{ issues ${PAGE} }`)
    expect(idsOf([(root.data as Record<string, Nested>)['issues']!])).toEqual([expected[1]])
  })

  test.each([
    ['(status: ONGOING)', [0, 2]],
    ['(status: RESOLVED)', [1]],
    ['(lastReportedBefore: "2000-01-01T00:00:00Z")', [2]],
    ['(lastReportedAfter: "2000-01-01T00:00:00Z", status: ONGOING)', [0]],
    ['(errorCode: DATA_DELAYED)', []],
  ])('a connection has the issues %s', async (args, expected) => {
    const lists = await nestedLists(fleet.narrowed(0), 'connections', 'issues', args)
    const { issues } = fleet.connections[0]!
    expect(idsOf(lists)).toEqual([expected.map((at) => issues[at]!.id)])
  })

  test.each(['vehicles', 'drivers', 'trailers'] as const)('a group has its own %s', async (list) => {
    const expected = fleet.connections
      .slice(0, 2)
      .map(({ [list]: rows }) => [ids(rows.slice(0, 2)), ids(rows.slice(1, 2))])
    expect(idsOf(await nestedLists(fleet.client, 'groups', list))).toEqual(expected.flat())
    expect(idsOf(await nestedLists(fleet.narrowed(1), 'groups', list))).toEqual(expected[1])
    const [first] = await nestedLists(fleet.client, 'groups', list, '(first: 1)')
    expect(first).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } })
    const after = `(after: "${first!.pageInfo.endCursor}")`
    const [rest] = await nestedLists(fleet.client, 'groups(first: 1)', list, after)
    expect(idsOf([first!, rest!]).flat()).toEqual(expected[0]![0])
  })

  test('a group has no vehicles of a connection that names its id', async () => {
    const foreign = fleet.connections[0]!.groups[0]!.id
    const other = await seedApplication(db, [
      (owner) => ({ groups: [groupRow(owner)], vehicles: [vehicleRow(owner, { groupIds: [foreign] })] }),
    ])
    expect(idsOf(await nestedLists(other.client, 'groups', 'vehicles'))).toEqual([[]])
    expect(idsOf(await nestedLists(fleet.client, 'groups(first: 1)', 'vehicles'))).toEqual([
      ids(fleet.connections[0]!.vehicles.slice(0, 2)),
    ])
  })

  test('a group has the groups below it', async () => {
    const [region, terminal, closed] = ids(fleet.connections[0]!.groups)
    const lists = (args: string) => nestedLists(fleet.narrowed(0), 'groups', 'children', args)
    expect(idsOf(await lists(''))).toEqual([[terminal], []])
    expect(idsOf(await lists('(deleted: true)'))).toEqual([[terminal, closed], []])
    const text = '{ groups { nodes { children { nodes { parent { id children { nodes { id } } } } } } } }'
    expect(await execute(fleet.narrowed(0), text)).toEqual({
      data: {
        groups: {
          nodes: [
            { children: { nodes: [{ parent: { id: region, children: { nodes: [{ id: terminal }] } } }] } },
            { children: { nodes: [] } },
          ],
        },
      },
    })
  })

  test('the vehicles of a group follow the filters of the list and of the connection', async () => {
    const own = await seedApplication(
      db,
      [records, records],
      [({ vehicles }) => ({ filters: { vehicles: { excludeIds: [vehicles[0]!.id] } } })],
    )
    const { vehicles } = own.connections[0]!
    const lists = async (args: string) =>
      idsOf(await nestedLists(own.client, 'groups', 'vehicles', args)).slice(0, 2)
    const [first, second, , , removed] = ids(vehicles)
    expect(await lists('')).toEqual([[second], [second]])
    expect(await lists('(hidden: true)')).toEqual([[first, second], [second]])
    expect(await lists('(deleted: true)')).toEqual([[second], [second, removed]])
    expect(await lists(`(deleted: true, modifiedAfter: "${new Date(NOON).toISOString()}")`)).toEqual([
      [],
      [removed],
    ])
  })

  test('a trip has the safety events of its vehicle from its start until before its end', async () => {
    const [startedAt, endedAt] = [NOON, NOON + 10]
    const own = await seedApplication(db, [
      eventsAround(startedAt, endedAt),
      eventsAround(startedAt, endedAt),
    ])
    const expected = own.connections.map(({ safetyEvents }) => ids(safetyEvents.slice(1, 3)))
    for (const [client, lists] of [
      [own.client, expected],
      [own.narrowed(1), expected.slice(1)],
    ] as const)
      expect(
        idsOf(await nestedLists(client, 'trips', 'safetyEvents')).filter(({ length }) => length),
      ).toEqual(lists)
    const [trip] = own.connections[0]!.trips
    const events = async (args: string) =>
      (
        await nestedLists(own.narrowed(0), `trips(vehicleIds: ["${trip!.vehicleId}"])`, 'safetyEvents', args)
      )[0]!
    const { safetyEvents } = own.connections[0]!
    expect(idsOf([await events('(deleted: true)')])).toEqual([ids(safetyEvents.slice(1, 4))])
    const after = (await events('(first: 1)')).pageInfo.endCursor
    expect(idsOf([await events(`(after: "${after}")`)])).toEqual([ids(safetyEvents.slice(2, 3))])
  })

  test('a trip has no safety events of a hidden driver that the list selects', async () => {
    const withDriver: RecordsOf = (owner) => {
      const [vehicle, driver] = [vehicleRow(owner), driverRow(owner)]
      const [vehicleId, driverId] = [vehicle.id, driver.id]
      return {
        vehicles: [vehicle],
        drivers: [driver],
        trips: [tripRow(owner, { vehicleId, startedAt: NOON, endedAt: NOON + 10 })],
        safetyEvents: [safetyEventRow(owner, { vehicleId, driverId, startedAt: NOON })],
      }
    }
    const hideDriver: ConnectionValues = ({ drivers }) => ({
      filters: { drivers: { excludeIds: [drivers[0]!.id] } },
    })
    const own = await seedApplication(db, [withDriver], [hideDriver])
    const { safetyEvents, drivers } = own.connections[0]!
    const events = (args: string) => nestedLists(own.client, 'trips', 'safetyEvents', args)
    expect(idsOf(await events(''))).toEqual([ids(safetyEvents)])
    expect(idsOf(await events(`(driverIds: ["${drivers[0]!.id}"])`))).toEqual([[]])
  })

  test('a trip of a hidden vehicle has no safety events', async () => {
    const own = await seedApplication(
      db,
      [eventsAround(NOON, NOON + 10)],
      [({ vehicles }) => ({ filters: { vehicles: { excludeIds: [vehicles[0]!.id] } } })],
    )
    expect(idsOf(await nestedLists(own.client, 'trips', 'safetyEvents'))).toEqual([[]])
    const text = 'query ($id: ID!) { trip(id: $id) { safetyEvents { nodes { id } } } }'
    const { id } = own.connections[0]!.trips[0]!
    expect(await execute(own.client, text, { id })).toEqual({ data: { trip: null } })
  })

  test('pages of the syncs of a connection continue after a cursor, which no other connection accepts', async () => {
    const [first] = await nestedLists(fleet.narrowed(0), 'connections', 'syncs', '(first: 2)')
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
    const after = `(first: 2, after: "${first!.pageInfo.endCursor}")`
    const [second] = await nestedLists(fleet.narrowed(0), 'connections', 'syncs', after)
    const { syncs } = fleet.connections[0]!
    expect(idsOf([first!, second!]).flat()).toEqual(ids(syncs).toReversed())
    const other = await execute(fleet.narrowed(1), `{ connection { syncs${after} ${PAGE} } }`)
    expect(other.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { DriverStatus } from '../../../../src/subgraphs/fleet/driver.ts'
import { TrailerStatus } from '../../../../src/subgraphs/fleet/trailer.ts'
import { VehicleStatus } from '../../../../src/subgraphs/fleet/vehicle.ts'
import {
  dialects,
  driverRow,
  groupRow,
  NOON,
  type Records,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
  vehicleRow,
} from '../../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../../support/graph/graph-harness.ts'
import { trailerRow } from '../../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)

/** Returns members of each combination of status, groups and deletion. */
const rosterRecords: RecordsOf = (owner) => {
  const groups = [groupRow(owner), groupRow(owner), groupRow(owner)]
  const [one, two] = groups.map(({ id }) => id)
  const memberships = [[], [one!], [two!], [one!, two!]].flatMap((groupIds) =>
    [null, NOON].map((deletedAt) => ({ groupIds, deletedAt })),
  )
  const members = <Status, Row>(statuses: readonly Status[], make: (values: Membership<Status>) => Row) =>
    memberships.flatMap((membership) => statuses.map((status) => make({ ...membership, status })))
  return {
    groups,
    vehicles: members(Object.values(VehicleStatus), (values) => vehicleRow(owner, values)),
    drivers: members(Object.values(DriverStatus), (values) => driverRow(owner, values)),
    trailers: members(Object.values(TrailerStatus), (values) => trailerRow(owner, values)),
  }
}

interface Membership<Status> {
  readonly groupIds: string[]
  readonly deletedAt: number | null
  readonly status: Status
}

const hideFirst = ({ vehicles, drivers }: Records) => ({
  filters: { vehicles: { excludeIds: [vehicles[0]!.id] }, drivers: { excludeIds: [drivers[0]!.id] } },
})

interface Filters {
  readonly statuses?: readonly string[] | null
  readonly groupIds?: readonly string[] | null
  readonly deleted?: boolean
  readonly connectionIds?: readonly string[]
}

interface Member {
  readonly id: string
  readonly status: string
  readonly groups: readonly { readonly id: string }[]
  readonly connection: { readonly id: string }
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication
  let foreign: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, [rosterRecords, rosterRecords], [{}, hideFirst])
    foreign = await seedApplication(db, [rosterRecords])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function read(list: string, { deleted = false, ...filters }: Filters, client = fleet.client) {
    const status = `${list[0]!.toUpperCase()}${list.slice(1, -1)}Status`
    const text = `query ($deleted: Boolean!, $statuses: [${status}!], $groupIds: [ID!], $connectionIds: [ID!]) {
      list: ${list}(deleted: $deleted, statuses: $statuses, groupIds: $groupIds, connectionIds: $connectionIds) {
        nodes { id status groups { id } connection { id } } totalCount
      }
    }`
    return ask(executor, contextFor, {
      client,
      document: documentOf(text),
      variables: { deleted, ...filters },
    })
  }

  async function membersOf(...given: Parameters<typeof read>): Promise<readonly Member[]> {
    const { data, errors } = await read(...given)
    expect(errors).toBeUndefined()
    const { nodes, totalCount } = (
      data as { list: { readonly nodes: readonly Member[]; readonly totalCount: number } }
    ).list
    expect(totalCount).toBe(nodes.length)
    return nodes
  }

  const groupId = (connection: number, group: number) => fleet.connections[connection]!.groups[group]!.id

  const meets = ({ statuses, groupIds, connectionIds }: Filters, member: Member) =>
    (statuses?.includes(member.status) ?? true) &&
    (groupIds?.some((id) => member.groups.some((group) => group.id === id)) ?? true) &&
    (connectionIds?.includes(member.connection.id) ?? true)

  const lists = ['vehicles', 'drivers', 'trailers']

  test.each(lists)('%s are filtered by status and by group', async (list) => {
    for (const deleted of [false, true]) {
      const all = await membersOf(list, { deleted })
      for (const statuses of [null, ['ACTIVE'], ['INACTIVE', 'INACTIVE'], ['ACTIVE', 'INACTIVE']])
        for (const groupIds of [
          null,
          [groupId(0, 0)],
          [groupId(0, 0), groupId(0, 1)],
          [groupId(1, 1), groupId(0, 0), groupId(1, 1)],
        ])
          for (const connectionIds of [undefined, [fleet.connections[1]!.connection.id]]) {
            const filters: Filters = {
              deleted,
              statuses,
              groupIds,
              ...(connectionIds ? { connectionIds } : {}),
            }
            const found = await membersOf(list, filters)
            expect(found).toEqual(all.filter((member) => meets(filters, member)))
            if (!groupIds) expect(found.length).toBeGreaterThan(0)
          }
    }
  })

  test.each(lists)('%s of no group or status, or of the group of another fleet, are none', async (list) => {
    const foreignGroup = foreign.connections[0]!.groups[0]!.id
    for (const groupIds of [[], [foreignGroup], [unknownId('group')], [groupId(0, 2)]])
      expect(await membersOf(list, { groupIds, deleted: true })).toEqual([])
    expect(await membersOf(list, { statuses: [] })).toEqual([])
    expect(await membersOf(list, { groupIds: [groupId(1, 0)] }, fleet.narrowed(0))).toEqual([])
  })

  test.each(lists)('%s take 50 groups at most', async (list) => {
    const groupIds = Array.from({ length: 51 }, (_, at) => unknownId('group').slice(0, -2) + String(at + 10))
    expect(await membersOf(list, { groupIds: groupIds.slice(1) })).toEqual([])
    expect((await read(list, { groupIds })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', detail: [{ path: 'groupIds' }] } },
    ])
  })

  test.each(lists)('filters of %s cost no further statement', async (list) => {
    const count = async (args: string) => {
      const statements: string[] = []
      const unsubscribe = db.onStatement((sql) => statements.push(sql))
      const { errors } = await ask(executor, contextFor, {
        client: fleet.client,
        document: documentOf(`{ ${list}${args} { nodes { id } } }`),
      })
      unsubscribe()
      expect(errors).toBeUndefined()
      return statements.length
    }
    const groups = [0, 1].map((at) => `"${groupId(0, at)}"`)
    const filters = `(statuses: [ACTIVE, INACTIVE], groupIds: [${groups.join()}])`
    expect(await count(filters)).toBe(await count(''))
  })
})

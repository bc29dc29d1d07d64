import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  dialects,
  MINUTE,
  NOON,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { uniformRecords } from '../../support/graph/fleets.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const ROWS = 23
/** More rows than any list has. Reaching this number means that the cursors loop. */
const LOOP_LENGTH = 200
const executor = createInProcessExecutor(supergraph)

/** A paginated list: its field, its arguments and the selection of its records. */
interface List {
  readonly name: string
  readonly field: string
  readonly args?: string
  readonly record?: string
  /** Type of the parent record of a nested list. */
  readonly of?: 'vehicle' | 'driver' | 'connection'
}

const allChanges = ', modifiedAfter: "2000-01-01T00:00:00Z"'

const lists: readonly List[] = [
  ...['vehicles', 'drivers', 'groups', 'devices', 'trips', 'safetyEvents', 'syncs', 'connections'].map(
    (field) => ({ name: field, field }),
  ),
  ...['vehicles', 'trips'].map((field) => ({
    name: `${field} by modification time`,
    field,
    args: allChanges,
  })),
  { name: 'vehicleLocations', field: 'vehicleLocations', record: 'vehicle { id } locatedAt' },
  { name: 'trips of a vehicle', field: 'trips', of: 'vehicle' },
  { name: 'safetyEvents of a vehicle', field: 'safetyEvents', of: 'vehicle' },
  { name: 'locations of a vehicle', field: 'locations', of: 'vehicle' },
  { name: 'trips of a driver', field: 'trips', of: 'driver' },
  { name: 'safetyEvents of a driver', field: 'safetyEvents', of: 'driver' },
  ...['vehicles', 'drivers', 'groups', 'devices'].map((field) => ({
    name: `${field} of a connection`,
    field,
    of: 'connection' as const,
  })),
]

interface Edge {
  readonly cursor: string
  readonly node: unknown
}

interface Page {
  readonly edges: readonly Edge[]
  readonly nodes: readonly unknown[]
  readonly totalCount: number
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

interface Request {
  readonly first?: number
  readonly after?: string | null
  readonly last?: number
  readonly before?: string | null
}

function textOf({ field, args = '', record = 'id', of }: List): string {
  const page = `edges { cursor node { ${record} } } nodes { ${record} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount`
  const list = `${field}(first: $first, after: $after, last: $last, before: $before${args}) { ${page} }`
  const variables = '$first: Int, $after: String, $last: Int, $before: String'
  return of
    ? `query ($id: ID!, ${variables}) { ${of}(id: $id) { ${list} } }`
    : `query (${variables}) { ${list} }`
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication
  let ids: Readonly<Record<'vehicle' | 'driver' | 'connection', string>>

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    const connections = Array.from({ length: ROWS }, (_, at) => (at === 0 ? recordsOfOneOwner : () => ({})))
    application = await seedApplication(db, connections)
    const [first] = application.connections
    ids = { vehicle: first!.vehicles[0]!.id, driver: first!.drivers[0]!.id, connection: first!.connection.id }
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const execute = (list: List, request: Request, client: ApiClient = application.client): Promise<Answer> => {
    const variables = { ...request, ...(list.of ? { id: ids[list.of] } : {}) }
    return ask(executor, contextFor, { client, document: documentOf(textOf(list)), variables })
  }

  async function pageOf(list: List, request: Request): Promise<Page> {
    const { data, errors } = await execute(list, request)
    expect(errors).toBeUndefined()
    const parent = (list.of ? data![list.of] : data) as Record<string, Page>
    return parent[list.field]!
  }

  /** Reads all records in one page. */
  async function allOf(list: List): Promise<readonly Edge[]> {
    const { edges, totalCount } = await pageOf(list, { first: 1000 })
    expect(totalCount).toBe(edges.length)
    expect((await pageOf(list, { last: 1 })).totalCount).toBe(edges.length)
    return edges
  }

  async function forward(list: List, first: number): Promise<Edge[]> {
    const edges: Edge[] = []
    for (let after: string | null = null; ;) {
      const page = await pageOf(list, { first, after })
      checkPage(page, first)
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null)
      edges.push(...page.edges)
      expect(edges.length).toBeLessThan(LOOP_LENGTH)
      if (!page.pageInfo.hasNextPage) return edges
      after = page.pageInfo.endCursor
    }
  }

  async function backward(list: List, last: number): Promise<Edge[]> {
    const edges: Edge[] = []
    for (let before: string | null = null; ;) {
      const page = await pageOf(list, { last, before })
      checkPage(page, last)
      expect(page.pageInfo.hasNextPage).toBe(before !== null)
      edges.unshift(...page.edges)
      expect(edges.length).toBeLessThan(LOOP_LENGTH)
      if (!page.pageInfo.hasPreviousPage) return edges
      before = page.pageInfo.startCursor
    }
  }

  describe.each(lists)('$name', (list) => {
    test('has each row once, in one order, in both directions and with any page size', async () => {
      const all = await allOf(list)
      expect(all.length).toBeGreaterThanOrEqual(ROWS)
      expect(new Set(all.map(({ node }) => JSON.stringify(node))).size).toBe(all.length)
      expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length)
      const size = fc.integer({ min: 1, max: ROWS + 2 })
      const property = fc.asyncProperty(size, async (pageSize) => {
        expect(await forward(list, pageSize)).toEqual(all)
        expect(await backward(list, pageSize)).toEqual(all)
      })
      await fc.assert(property, { numRuns: 3, examples: [[all.length], [7]] })
    })

    test('returns the rows between two cursors', async () => {
      const all = await allOf(list)
      const position = fc.integer({ min: 0, max: all.length - 1 })
      const property = fc.asyncProperty(
        position,
        position,
        fc.integer({ min: 1, max: ROWS }),
        async (from, to, size) => {
          const bounds = { after: all[from]!.cursor, before: all[to]!.cursor }
          const between = all.slice(from + 1, Math.max(to, from + 1))
          expect((await pageOf(list, { ...bounds, first: size })).edges).toEqual(between.slice(0, size))
          expect((await pageOf(list, { ...bounds, last: size })).edges).toEqual(between.slice(-size))
        },
      )
      await fc.assert(property, { numRuns: 6 })
    })

    test('refuses a cursor with a changed character', async () => {
      const { edges } = await pageOf(list, { first: 3 })
      const { cursor } = edges[1]!
      const letter = fc.constantFrom(
        ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.~ ',
      )
      const property = fc.asyncProperty(fc.nat(cursor.length - 1), letter, async (at, other) => {
        const changed = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`
        fc.pre(changed !== cursor)
        expect(errorCode(await execute(list, { after: changed }))).toBe('BAD_USER_INPUT')
        expect(errorCode(await execute(list, { before: changed }))).toBe('BAD_USER_INPUT')
      })
      await fc.assert(property, { numRuns: 25 })
    })

    test('refuses a page size above its maximum, and a negative one', async () => {
      const maximum = list.name === 'locations of a vehicle' ? 10_000 : 1000
      for (const side of ['first', 'last'] as const) {
        expect((await execute(list, { [side]: maximum })).errors).toBeUndefined()
        for (const size of [maximum + 1, -1]) {
          const { errors } = await execute(list, { [side]: size })
          const message = `\`${side}\` must be a whole number from 0 to ${maximum}.`
          expect(errors).toMatchObject([
            { message, extensions: { code: 'BAD_USER_INPUT', detail: [{ message, path: side }] } },
          ])
        }
      }
    })

    test('refuses a cursor of another list', async () => {
      for (const other of lists.filter((one) => one !== list)) {
        const { endCursor } = (await pageOf(other, { first: 2 })).pageInfo
        expect([other.name, errorCode(await execute(list, { after: endCursor }))]).toEqual([
          other.name,
          'BAD_USER_INPUT',
        ])
      }
    })

    test('refuses a cursor of another caller', async () => {
      const { endCursor } = (await pageOf(list, { first: 2 })).pageInfo
      expect(errorCode(await execute(list, { after: endCursor }, application.narrowed(0)))).toBe(
        'BAD_USER_INPUT',
      )
    })
  })

  test('events continues after any event', async () => {
    const text =
      'query ($after: ID, $first: Int) { events(after: $after, first: $first) { nodes { id } pageInfo { hasNextPage endCursor } } }'
    const read = async (variables: Request) => {
      const { data, errors } = await ask(executor, contextFor, {
        client: application.client,
        document: documentOf(text),
        variables: { ...variables },
      })
      if (errors) throw new Error(errors[0]?.message)
      return (data as { events: Page }).events
    }
    const all = (await read({})).nodes
    expect(all).toHaveLength(ROWS)
    await expect(read({ first: 1001 })).rejects.toThrow('`first` must be a whole number from 0 to 1000.')
    const property = fc.asyncProperty(fc.integer({ min: 1, max: ROWS + 1 }), async (first) => {
      const paged: unknown[] = []
      for (let after: string | null = null; ;) {
        const page = await read({ first, after })
        paged.push(...page.nodes)
        if (!page.pageInfo.hasNextPage) break
        after = page.pageInfo.endCursor
      }
      expect(paged).toEqual(all)
    })
    await fc.assert(property, { numRuns: 6 })
  })
})

function checkPage(page: Page, size: number): void {
  expect(page.edges.length).toBeLessThanOrEqual(size)
  expect(page.nodes).toEqual(page.edges.map(({ node }) => node))
  expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor ?? null)
  expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor ?? null)
}

const errorCode = ({ errors = [] }: Answer): string | undefined => errors[0]?.extensions?.code

/** Returns records of a connection whose first vehicle and driver own all of them. Many have equal times. */
const recordsOfOneOwner: ReturnType<typeof uniformRecords> = (owner) => {
  const records = uniformRecords(ROWS)(owner)
  const pair = { vehicleId: records.vehicles![0]!.id, driverId: records.drivers![0]!.id }
  const timesOf = (at: number) => ({
    startedAt: NOON - (at % 5) * MINUTE,
    modifiedAt: NOON - (at % 3) * MINUTE,
  })
  return {
    ...records,
    vehicles: records.vehicles!.map((row, at) =>
      vehicleRow(owner, { ...row, modifiedAt: timesOf(at).modifiedAt }),
    ),
    trips: records.trips!.map((row, at) => Object.assign(row, pair, timesOf(at))),
    safetyEvents: records.safetyEvents!.map((row, at) => Object.assign(row, pair, timesOf(at))),
    track: Array.from({ length: ROWS }, (_, at) => ({
      ...records.track![0]!,
      ...pair,
      locatedAt: NOON + at * MINUTE,
    })),
  }
}

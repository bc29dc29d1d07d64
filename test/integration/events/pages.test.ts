import fc from 'fast-check'
import type { GraphQLEnumType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import {
  type ApiClient,
  DAY,
  dialects,
  eventRow,
  idAt,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { sequenceAll } from '../../support/harnesses/event-log-harness.ts'

const executor = createInProcessExecutor(supergraph)
const PAGE = `query ($first: Int, $after: ID, $last: Int, $before: ID, $types: [String!]) {
  events(first: $first, after: $after, last: $last, before: $before, types: $types) {
    nodes { id type kind } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount
  }
}`
const TYPES = ['vehicle.added', 'safety.added', 'driver.added']

interface LogPage {
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly kind: string | null }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  readonly totalCount: number
}

describe.each(dialects)('the event log on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let seeded: SeededApplication
  let entries: EventRow[]
  let statements = 0

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    seeded = await seedApplication(db, [() => ({}), () => ({})])
    const other = await seedApplication(db, [() => ({})])
    const owners = [...seeded.connections, ...other.connections].map(({ connection }) => ({
      applicationId: connection.applicationId,
      connectionId: connection.id,
    }))
    entries = Array.from({ length: 40 }, (_, at) =>
      eventRow(owners[at % owners.length]!, {
        type: TYPES[Math.floor(at / 2) % TYPES.length]!,
        detail: { number: at },
      }),
    )
    await db.transaction((tx) => tx.insert(tableOf(EventRow), entries))
    await sequenceAll(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function execute(
    text: string,
    variables: Record<string, unknown>,
    client: ApiClient = seeded.client,
  ) {
    const rows: Database['rows'] = (sql, parameters) => {
      statements += 1
      return db.rows(sql, parameters)
    }
    const document = documentOf(text)
    return ask(executor, contextsOver({ ...db, rows }), { client, document, variables })
  }

  async function page(variables: Record<string, unknown>, client?: ApiClient): Promise<LogPage> {
    const { data, errors } = await execute(PAGE, variables, client)
    expect(errors).toBeUndefined()
    return data!['events'] as LogPage
  }

  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const ownEvents = () => entries.filter(({ applicationId }) => applicationId === seeded.id)

  test('is the same read forwards and backwards, with pages of any size', async () => {
    const all = idsOf(ownEvents())
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (size) => {
        const backward: string[] = []
        for (let before: string | null = null; ;) {
          const { nodes, pageInfo, totalCount } = await page({ last: size, before })
          expect([totalCount, pageInfo.hasNextPage]).toEqual([all.length, before !== null])
          backward.unshift(...idsOf(nodes))
          before = pageInfo.startCursor
          if (!pageInfo.hasPreviousPage) break
        }
        expect(backward).toEqual(all)
        const forward: string[] = []
        for (let after: string | null = null; ;) {
          const { nodes, pageInfo } = await page({ first: size, after })
          forward.push(...idsOf(nodes))
          after = pageInfo.endCursor
          if (!pageInfo.hasNextPage) break
        }
        expect(forward).toEqual(all)
      }),
      { numRuns: 8 },
    )
  })

  test('is read between two events', async () => {
    const all = idsOf(ownEvents())
    const between = await page({ after: all[2], before: all[9], last: 4 })
    expect(idsOf(between.nodes)).toEqual(all.slice(5, 9))
    expect(between.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    const narrowed = await page({ last: 100 }, seeded.narrowed(0))
    const own = seeded.connections[0]!.connection.id
    expect(idsOf(narrowed.nodes)).toEqual(
      idsOf(ownEvents().filter(({ connectionId }) => connectionId === own)),
    )
  })

  test('names the type of an event by the request, and its kind always alike', async () => {
    const kindsFor = async (types: string[]) =>
      new Set((await page({ types, first: 100 })).nodes.map(({ type, kind }) => `${type} ${kind}`))
    expect(await kindsFor(['safety.added'])).toEqual(new Set(['safety.added SAFETY_ADDED']))
    expect(await kindsFor(['safety_event.added'])).toEqual(new Set(['safety_event.added SAFETY_ADDED']))
    const enumType = supergraph.apiSchema.getType('EventType') as GraphQLEnumType
    expect(enumType.getValues().map(({ name }) => name)).toEqual(
      Object.keys(eventTypes).map((type) => type.toUpperCase().replace('.', '_')),
    )
  })

  test.each<[string, () => Record<string, unknown>, string, string]>([
    ['first and last', () => ({ first: 1, last: 1 }), 'BAD_USER_INPUT', 'last'],
    ['a `last` below 0', () => ({ last: -1 }), 'BAD_USER_INPUT', 'last'],
    ['an unknown event', () => ({ last: 1, before: newId('event') }), 'BAD_USER_INPUT', 'before'],
    [
      'an event of another application',
      () => ({ last: 1, before: entries[2]!.id }),
      'BAD_USER_INPUT',
      'before',
    ],
    [
      'an event older than the log',
      () => ({ last: 1, before: idAt('event', Date.now() - 2 * DAY) }),
      'GONE',
      '',
    ],
  ])('refuses %s', async (_, variables, code, path) => {
    const { errors } = await execute(PAGE, variables())
    expect(errors).toHaveLength(1)
    expect(errors![0]!.extensions!['code']).toBe(code)
    if (path !== '') expect(JSON.stringify(errors![0])).toContain(path)
  })

  test('returns one event by its id, to its owner only', async () => {
    const EVENT = 'query ($id: ID!) { event(id: $id) { id type kind detail } }'
    const [mine] = ownEvents()
    const { data } = await execute(EVENT, { id: mine!.id })
    expect(data!['event']).toEqual({
      id: mine!.id,
      type: 'vehicle.added',
      kind: 'VEHICLE_ADDED',
      detail: mine!.detail,
    })
    for (const id of [entries[2]!.id, newId('event')])
      expect((await execute(EVENT, { id })).data).toEqual({ event: null })
    expect((await execute(EVENT, { id: mine!.id }, seeded.narrowed(1))).data).toEqual({ event: null })
    const { errors } = await execute(EVENT, { id: newId('sync') })
    expect(errors![0]!.extensions!['code']).toBe('BAD_USER_INPUT')
  })

  test('reads many events by id with one statement', async () => {
    const ids = idsOf(ownEvents()).slice(0, 10)
    const fields = ids.map((id, at) => `e${at}: event(id: "${id}") { id }`).join(' ')
    statements = 0
    const { data } = await execute(`{ ${fields} }`, {})
    expect(Object.values(data!)).toEqual(ids.map((id) => ({ id })))
    expect(statements).toBe(1)
  })
})

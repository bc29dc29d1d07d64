import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { IssueStatus } from '../../../src/subgraphs/connections/issues/issue.ts'
import { SyncStatus } from '../../../src/subgraphs/connections/syncs/sync.ts'
import {
  type ApiClient,
  dialects,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  syncRow,
  temporaryDatabase,
} from '../../support/factories.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { issueRow } from '../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)

const records: RecordsOf = (owner) => ({
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
      `{ ${list} { nodes { nested: ${field}${args} ${PAGE} } } }`,
    )
    expect(errors).toBeUndefined()
    return (data as Record<string, { nodes: { nested: Nested }[] }>)[list]!.nodes.map(({ nested }) => nested)
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

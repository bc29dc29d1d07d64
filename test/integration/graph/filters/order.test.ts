import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import {
  type ApiClient,
  dialects,
  driverRow,
  MINUTE,
  NOON,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../../support/factories.ts'
import { measureReads, type ReadCost } from '../../../support/database/read-costs.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)
const COUNT = 30

/** Times of change in another order than the ids, some of them equal. */
const orderedRecords: RecordsOf = (owner) => {
  const times = Array.from({ length: COUNT }, (_, at) => NOON - ((at * 7) % 10) * MINUTE)
  return {
    vehicles: times.map((modifiedAt) => vehicleRow(owner, { modifiedAt })),
    drivers: times.map((modifiedAt) => driverRow(owner, { modifiedAt })),
  }
}

interface Listed {
  readonly id: string
  readonly metadata: { readonly modifiedAt: string }
}

interface ListedPage {
  readonly nodes: readonly Listed[]
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
}

const byTime = (a: Listed, b: Listed) =>
  a.metadata.modifiedAt.localeCompare(b.metadata.modifiedAt) || (a.id < b.id ? -1 : 1)

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, [orderedRecords, orderedRecords])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const clients = (): readonly ApiClient[] => [fleet.client, fleet.narrowed(0)]

  const answerOf = (list: string, args: string, client = fleet.client, context = contextFor) =>
    ask(executor, context, {
      client,
      document: documentOf(
        `{ list: ${list}(${args}) { nodes { id metadata { modifiedAt } } pageInfo { endCursor hasNextPage } } }`,
      ),
    })

  async function pageOf(...given: Parameters<typeof answerOf>): Promise<ListedPage> {
    const { data, errors } = await answerOf(...given)
    expect(errors).toBeUndefined()
    return (data as { list: ListedPage }).list
  }

  const nodesOf = async (...given: Parameters<typeof answerOf>) => (await pageOf(...given)).nodes

  test.each(['vehicles', 'drivers'])('%s by time of change come page by page', async (list) => {
    for (const client of clients()) {
      const expected = (await nodesOf(list, 'first: 1000', client)).toSorted(byTime)
      const nodes: Listed[] = []
      for (let after = ''; ;) {
        const { nodes: further, pageInfo } = await pageOf(list, `orderBy: MODIFIED, first: 7${after}`, client)
        nodes.push(...further)
        if (!pageInfo.hasNextPage) break
        after = `, after: "${pageInfo.endCursor}"`
      }
      expect(nodes).toEqual(expected)
      expect(await nodesOf(list, 'orderBy: MODIFIED, last: 5', client)).toEqual(expected.slice(-5))
      const modifiedAfter = 'modifiedAfter: "2020-01-01T00:00:00Z"'
      expect(await nodesOf(list, `orderBy: MODIFIED, ${modifiedAfter}`, client)).toEqual(expected)
      expect(await nodesOf(list, `orderBy: null, ${modifiedAfter}`, client)).toEqual(expected)
    }
  })

  test.each(['vehicles', 'drivers'])('%s by id are the list without an order', async (list) => {
    expect(await nodesOf(list, 'orderBy: ID')).toEqual(await nodesOf(list, 'first: 100'))
    const args = 'orderBy: ID, modifiedBefore: "2030-01-01T00:00:00Z"'
    expect((await answerOf(list, args)).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', detail: [{ path: 'orderBy' }] } },
    ])
  })

  test.each(['vehicles', 'drivers'])('a cursor of %s is bound to the order', async (list) => {
    const { pageInfo } = await pageOf(list, 'first: 1')
    const args = `orderBy: MODIFIED, after: "${pageInfo.endCursor}"`
    expect((await answerOf(list, args)).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', detail: [{ path: 'after' }] } },
    ])
  })

  test.each(dialect === 'mysql' ? ['vehicles', 'drivers'] : [])(
    'a page of %s by time of change reads only its rows',
    async (list) => {
      for (const client of clients()) {
        const costs: ReadCost[] = []
        const context = contextsOver(measureReads(db, (cost) => costs.push(cost)))
        await pageOf(list, 'orderBy: MODIFIED, last: 5', client, context)
        const ofList = costs.filter(({ sql }) => sql.includes(`FROM \`${list}\``))
        expect(ofList.length).toBeGreaterThan(0)
        for (const { reads } of ofList) expect(reads).toBeLessThanOrEqual(8)
      }
    },
  )
})

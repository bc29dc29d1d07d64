import { getNamedType, type GraphQLNamedType, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../../src/gateway/gateway.ts'
import type { Database } from '../../../../src/storage/database.ts'
import {
  type ApiClient,
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
} from '../../../support/factories.ts'
import { uniformRecords } from '../../../support/graph/fleets.ts'
import { requiredArguments } from '../../../support/graph/foreign-access-attempts.ts'
import {
  type Answer,
  ask,
  contextsOver,
  documentOf,
  supergraph,
} from '../../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

const fieldsOf = (type: GraphQLNamedType | undefined) =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : {}

/** Root lists of records of providers. */
const lists = Object.values(supergraph.apiSchema.getQueryType()!.getFields()).filter(({ type }) => {
  const item = fieldsOf(getNamedType(fieldsOf(getNamedType(type))['nodes']?.type))
  return 'raw' in item && 'provider' in item
})
const names = lists.map(({ name }) => name)

const takes = (argument: string) => (list: (typeof lists)[number]) =>
  list.args.some(({ name }) => name === argument)

test('every root list of records takes `connectionIds`, and no nested list does', () => {
  expect(names).toEqual(expect.arrayContaining(['vehicles', 'trips', 'iftaSummary', 'trailerLocations']))
  expect(lists.filter((list) => !takes('connectionIds')(list))).toEqual([])
  const nested = Object.values(supergraph.apiSchema.getTypeMap())
    .filter((type) => type !== supergraph.apiSchema.getQueryType() && isObjectType(type))
    .flatMap((type) => Object.values(fieldsOf(type)))
    .filter((field) => String(field.type).endsWith('Page') && takes('connectionIds')(field))
  expect(nested).toEqual([])
})

/** Fields that identify a record of a list. */
const selectionOf = (list: string) => (list === 'iftaSummary' ? 'jurisdiction vehicle { id }' : 'id')

interface ReadList {
  readonly client?: ApiClient
  readonly connectionIds?: readonly string[] | null
  readonly args?: string
}

interface ListedPage {
  readonly nodes: readonly object[]
  readonly totalCount: number
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let fleet: SeededApplication
  let foreign: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    fleet = await seedApplication(db, Array(3).fill(uniformRecords(3)))
    foreign = await seedApplication(db, [uniformRecords(2)])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const connectionId = (index: number) => fleet.connections[index]!.connection.id
  const foreignId = () => foreign.connections[0]!.connection.id

  const answerOf = (
    list: string,
    { client = fleet.client, connectionIds = null, args = 'first: 1000' }: ReadList,
  ): Promise<Answer> => {
    const text = `query ($ids: [ID!]) { list: ${list}(${requiredArguments[list] ?? ''}connectionIds: $ids, ${args}) {
      nodes { ${selectionOf(list)} } totalCount pageInfo { endCursor hasNextPage }
    } }`
    return ask(executor, contextFor, {
      client,
      document: documentOf(text),
      variables: { ids: connectionIds },
    })
  }

  async function pageOf(list: string, read: ReadList = {}): Promise<ListedPage> {
    const { data, errors } = await answerOf(list, read)
    expect(errors).toBeUndefined()
    return (data as { list: ListedPage }).list
  }

  async function idsOf(list: string, read: ReadList = {}): Promise<readonly string[]> {
    const { nodes, totalCount } = await pageOf(list, read)
    expect(totalCount).toBe(nodes.length)
    return nodes.map((node) => JSON.stringify(node))
  }

  async function idsOneByOne(list: string, read: ReadList): Promise<string[]> {
    const ids: string[] = []
    for (let after: string | null = null; ;) {
      const args: string = after === null ? 'first: 1' : `first: 1, after: "${after}"`
      const { nodes, pageInfo } = await pageOf(list, { ...read, args })
      ids.push(...nodes.map((node) => JSON.stringify(node)))
      if (!pageInfo.hasNextPage) return ids
      after = pageInfo.endCursor
    }
  }

  test.each(names)('the lists of %s by connection together are the whole list', async (list) => {
    const whole = await idsOf(list)
    const parts: (readonly string[])[] = []
    for (const index of [0, 1, 2]) {
      const part = await idsOf(list, { connectionIds: [connectionId(index)] })
      expect(part).toEqual(await idsOf(list, { client: fleet.narrowed(index) }))
      expect(part.length).toBeGreaterThan(0)
      parts.push(part)
    }
    expect(parts.flat().toSorted()).toEqual(whole.toSorted())
    const connectionIds = [2, 0, 2].map(connectionId)
    const ofTwo = [...parts[0]!, ...parts[2]!]
    const expected = whole.filter((id) => ofTwo.includes(id))
    expect(await idsOf(list, { connectionIds })).toEqual(expected)
    expect(await idsOneByOne(list, { connectionIds })).toEqual(expected)
  })

  test.each(lists.filter(takes('modifiedAfter')).map(({ name }) => name))(
    '%s by connection can be read by time of change',
    async (list) => {
      const args = 'first: 1000, modifiedAfter: "2020-01-01T00:00:00Z"'
      const whole = await idsOf(list, { args })
      for (const indexes of [[0], [0, 2]]) {
        const connectionIds = indexes.map(connectionId)
        const members = await idsOf(list, { connectionIds })
        expect(await idsOf(list, { connectionIds, args })).toEqual(whole.filter((id) => members.includes(id)))
      }
    },
  )

  test.each(names)('%s of connections outside the scope of the caller are empty', async (list) => {
    for (const connectionIds of [[foreignId()], [unknownId('connection')], []])
      expect(await idsOf(list, { connectionIds })).toEqual([])
    const [client, own] = [fleet.narrowed(0), connectionId(0)]
    for (const id of [connectionId(1), foreignId(), unknownId('connection')])
      expect(await idsOf(list, { client, connectionIds: [id] })).toEqual([])
    const mine = await idsOf(list, { client })
    expect(await idsOf(list, { client, connectionIds: [own, connectionId(1), foreignId()] })).toEqual(mine)
    expect(await idsOf(list, { connectionIds: [own, foreignId()] })).toEqual(mine)
  })

  test.each(names)('a cursor of %s is bound to the connections', async (list) => {
    const { pageInfo } = await pageOf(list, { args: 'first: 1', connectionIds: [connectionId(0)] })
    const args = `first: 1, after: "${pageInfo.endCursor}"`
    for (const connectionIds of [null, [connectionId(1)], [connectionId(0), connectionId(1)]])
      expect((await answerOf(list, { args, connectionIds })).errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT', detail: [{ path: 'after' }] } },
      ])
  })

  test.each(names)('%s take 50 connections at most', async (list) => {
    const ids = Array.from({ length: 51 }, (_, at) => unknownId('connection').slice(0, -2) + String(at + 10))
    expect(await idsOf(list, { connectionIds: ids.slice(1) })).toEqual([])
    expect((await answerOf(list, { connectionIds: ids })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', detail: [{ path: 'connectionIds' }] } },
    ])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  dialects,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import {
  REMOVED_AT_ISO,
  removableFields,
  type RemovableList,
  removableLists,
  removableRows,
} from '../../support/graph/removable-rows.ts'

const executor = createInProcessExecutor(supergraph)
const COUNT = 7

interface ListedRecord {
  readonly id: string
  readonly metadata: { readonly deletedAt: string | null }
}

interface ListedPage {
  readonly nodes: readonly ListedRecord[]
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

const SELECTION = '{ totalCount nodes { id metadata { deletedAt } } pageInfo { hasNextPage endCursor } }'

describe.each(dialects)('removed records on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let seeded: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    const rows = (owner: Parameters<typeof removableRows>[0]) => removableRows(owner, COUNT)
    seeded = await seedApplication(db, [rows, rows])
    await seedApplication(db, [rows])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const execute = (client: ApiClient, text: string) =>
    ask(executor, contextFor, { client, document: documentOf(text) })

  async function list(client: ApiClient, field: RemovableList, args: string): Promise<ListedPage> {
    const { data, errors } = await execute(client, `{ ${field}(${args}) ${SELECTION} }`)
    expect(errors).toBeUndefined()
    return data![field] as ListedPage
  }

  const idsOf = ({ nodes }: ListedPage) => nodes.map(({ id }) => id)
  const rowsOf = (field: RemovableList, at = 0) => seeded.connections[at]![field]
  const storedIds = (field: RemovableList, which: 'all' | 'present' | 'removed', at = 0) =>
    rowsOf(field, at)
      .filter(({ deletedAt }) => which === 'all' || (which === 'removed') === (deletedAt !== null))
      .map(({ id }) => id)

  describe.each(removableFields)('in %s', (field) => {
    test('are hidden by default, and shown with `deleted: true` and their time', async () => {
      const narrowed = seeded.narrowed(0)
      expect(storedIds(field, 'removed')).not.toEqual([])
      expect(idsOf(await list(narrowed, field, 'first: 50'))).toEqual(storedIds(field, 'present'))
      expect(idsOf(await list(narrowed, field, 'deleted: false'))).toEqual(storedIds(field, 'present'))
      const everything = await list(narrowed, field, 'deleted: true')
      expect(idsOf(everything)).toEqual(storedIds(field, 'all'))
      expect(everything.totalCount).toBe(COUNT)
      const removed = storedIds(field, 'removed')
      for (const { id, metadata } of everything.nodes)
        expect(metadata.deletedAt).toBe(removed.includes(id) ? REMOVED_AT_ISO : null)
    })

    test('are returned since a time of change, of one connection and of all', async () => {
      const since = `modifiedAfter: "${REMOVED_AT_ISO}"`
      expect(idsOf(await list(seeded.narrowed(0), field, since))).toEqual([])
      const changed = `${since}, deleted: true`
      expect(idsOf(await list(seeded.narrowed(0), field, changed))).toEqual(storedIds(field, 'removed'))
      expect(idsOf(await list(seeded.client, field, changed))).toEqual([
        ...storedIds(field, 'removed', 0),
        ...storedIds(field, 'removed', 1),
      ])
    })

    test('are on the pages of the list, whose cursors no other list accepts', async () => {
      const client = seeded.narrowed(0)
      const ids: string[] = []
      let cursor = ''
      for (let isLast = false; !isLast;) {
        const page = await list(client, field, `deleted: true, first: 2${cursor && `, after: "${cursor}"`}`)
        ids.push(...idsOf(page))
        cursor = page.pageInfo.endCursor
        isLast = !page.pageInfo.hasNextPage
      }
      expect(ids).toEqual(storedIds(field, 'all'))
      const { errors } = await execute(client, `{ ${field}(first: 2, after: "${cursor}") { nodes { id } } }`)
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    })

    test.each(removableLists[field])('are in the list of a %s', async (owner) => {
      const [{ id: ownerId } = { id: '' }] = seeded.connections[0]![`${owner}s`]
      const { data, errors } = await execute(
        seeded.client,
        `{ ${owner}(id: "${ownerId}") { present: ${field} ${SELECTION} all: ${field}(deleted: true) ${SELECTION} } }`,
      )
      expect(errors).toBeUndefined()
      const lists = data![owner] as { present: ListedPage; all: ListedPage }
      expect(idsOf(lists.present)).toEqual(storedIds(field, 'present'))
      expect(idsOf(lists.all)).toEqual(storedIds(field, 'all'))
      const byIds = `${owner}Ids: ["${ownerId}"], deleted: true`
      expect(idsOf(await list(seeded.client, field, byIds))).toEqual(storedIds(field, 'all'))
    })
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInterpretedExecutor } from '../../../src/gateway/execution/executor.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database, Transaction } from '../../../src/storage/database.ts'
import {
  dialects,
  driverRow,
  MINUTE,
  NOON,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  tripRow,
  vehicleRow,
} from '../../support/factories.ts'
import type { ChurnedList, Parents, Point } from '../../support/graph/changing/changing-list.ts'
import { churnedLists } from '../../support/graph/changing/changing-lists.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const ROWS = 20
const RUNS = 3
/** Interprets plans: each operation runs a few times only, so compiling it would cost more than it saves. */
const executor = createInterpretedExecutor(createInProcessExecutor(supergraph).schema)

/** A write between two pages. Rows with even numbers are never written. */
interface Write {
  readonly kind: 'insert' | 'update' | 'remove'
  readonly number: number
  readonly time: number
}

interface Request {
  readonly size: number
  readonly backward: boolean
}

/** A caller, a list and its arguments. */
interface ListQuery {
  readonly list: ChurnedList
  readonly client: ApiClient
  readonly args: readonly string[]
}

const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom('insert', 'update', 'remove'),
  number: fc.nat(ROWS / 2 - 1),
  time: fc.nat(9),
})
const scenario = (list: ChurnedList) =>
  fc.record({
    allConnections: fc.boolean(),
    args: fc.subarray([...list.args]).map((args) => args.filter(isFirstOfName)),
    size: fc.integer({ min: 2, max: 9 }),
    backward: fc.boolean(),
    writes: fc.array(fc.array(write, { maxLength: 4 }), { minLength: 2, maxLength: 8 }),
  })

const nameOf = (argument: string) => argument.slice(0, argument.indexOf(':'))
const isFirstOfName = (argument: string, at: number, all: readonly string[]) =>
  all.findIndex((other) => nameOf(other) === nameOf(argument)) === at

const initialPoint = (number: number): Point => ({
  number,
  time: (number * 7) % 10,
  modifiedAt: NOON + (number % 5) * MINUTE,
})

/** Removes a row as syncs and retention do: marks it if the table has `deletedAt`, or deletes it. */
async function removeRow(
  tx: Transaction,
  { table }: ChurnedList,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  if ('deletedAt' in row) return tx.upsert(table, [{ ...row, deletedAt: row['modifiedAt'] }])
  const where = table.primaryKey.map((column) => `\`${column}\` = ?`).join(' AND ')
  await tx.run(
    `DELETE FROM \`${table.name}\` WHERE ${where}`,
    table.primaryKey.map((column) => row[column]),
  )
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: unknown }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean }
  readonly totalCount: number
}

function textOf({ list, args }: ListQuery): string {
  const page = `edges { cursor node { ${list.record} } } pageInfo { hasNextPage hasPreviousPage } totalCount`
  const argumentTexts = [
    'first: $first, after: $after, last: $last, before: $before',
    ...args,
    list.always ?? '',
  ]
  const field = `${list.field}(${argumentTexts.filter(Boolean).join(', ')}) { ${page} }`
  const variables = '$first: Int, $after: String, $last: Int, $before: String'
  return list.of
    ? `query ($id: ID!, ${variables}) { ${list.of}(id: $id) { ${field} } }`
    : `query (${variables}) { ${field} }`
}

describe.each(dialects)('while rows are written on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication
  let parents: Parents

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    application = await seedApplication(db, [
      (owner) => {
        const [vehicle, driver] = [vehicleRow(owner), driverRow(owner)]
        const trip = tripRow(owner, {
          vehicleId: vehicle.id,
          driverId: driver.id,
          startedAt: NOON + 10 * MINUTE,
          endedAt: NOON + 45 * MINUTE,
        })
        return { vehicles: [vehicle], drivers: [driver], trips: [trip] }
      },
    ])
    const { connection, vehicles, drivers, trips } = application.connections[0]!
    const [vehicle, driver, trip] = [vehicles[0]!.id, drivers[0]!.id, trips[0]!.id]
    parents = { connection: connection.id, vehicle, driver, trip }
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function pageOf(query: ListQuery, request: object): Promise<Page> {
    const { list, client } = query
    const variables = { ...request, ...(list.of ? { id: parents[list.of] } : {}) }
    const document = documentOf(textOf(query))
    const { data, errors } = await ask(executor, contextFor, { client, document, variables })
    expect(errors).toBeUndefined()
    return (list.of ? (data![list.of] as Record<string, Page>) : (data as Record<string, Page>))[list.field]!
  }

  const allNodes = async (query: ListQuery): Promise<string[]> =>
    (await pageOf(query, { first: 1000 })).edges.map(({ node }) => JSON.stringify(node))

  /** Reads all pages of a list, forward or backward, and calls `between` before each next page. */
  async function walk(
    query: ListQuery,
    { size, backward }: Request,
    between: (page: number) => Promise<void>,
  ): Promise<string[]> {
    const pages: string[][] = []
    for (let cursor: string | null = null; ;) {
      const page = await pageOf(
        query,
        backward ? { last: size, before: cursor } : { first: size, after: cursor },
      )
      expect(page.edges.length).toBeLessThanOrEqual(size)
      pages.push(page.edges.map(({ node }) => JSON.stringify(node)))
      if (!(backward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break
      cursor = page.edges.at(backward ? 0 : -1)!.cursor
      await between(pages.length - 1)
    }
    return (backward ? pages.reverse() : pages).flat()
  }

  const rowAt = (list: ChurnedList, point: Point) => {
    const { id: connectionId } = application.connections[0]!.connection
    return list.row({ applicationId: application.id, connectionId }, point, parents)
  }

  /** Replaces the rows of the list with new ones. Many of them have equal times. */
  async function replaceRows(list: ChurnedList): Promise<void> {
    await db.transaction(async (tx) => {
      const kept = ['vehicle', 'driver', 'trip'].map((kind) => parents[kind as 'vehicle'])
      const unless = list.table.columns.includes('id') ? 'AND `id` NOT IN (?, ?, ?)' : ''
      const sql = `DELETE FROM \`${list.table.name}\` WHERE \`applicationId\` = ? ${unless}`
      await tx.run(sql, unless ? [application.id, ...kept] : [application.id])
      const rows = Array.from({ length: ROWS }, (_, number) => rowAt(list, initialPoint(number)))
      await tx.insert(list.table, rows)
    })
  }

  /** Writes rows, and notes which records the writes changed or added. */
  function writerOf(list: ChurnedList) {
    const rows = new Map<number, Readonly<Record<string, unknown>>>()
    const touches: { readonly name: string; readonly added: boolean }[] = []
    let clock = NOON + 10 * MINUTE
    const write = async (tx: Transaction, { kind, number, time }: Write) => {
      const rowNumber = 2 * number + 1 + (kind === 'insert' ? ROWS : 0)
      const before = rows.get(rowNumber) ?? rowAt(list, initialPoint(rowNumber))
      const row = rowAt(list, { number: rowNumber, time, modifiedAt: clock++ })
      for (const name of new Set([before, row].map(list.node).map((node) => JSON.stringify(node))))
        touches.push({ name, added: kind === 'insert' && !rows.has(rowNumber) })
      rows.set(rowNumber, row)
      if (kind === 'remove') await removeRow(tx, list, row)
      else await tx.upsert(list.table, [row])
    }
    return {
      write,
      touched: (name: string) => touches.some((touch) => touch.name === name),
      /** Returns whether the only write of a record added it. */
      onlyAdded: (name: string) => {
        const matching = touches.filter((touch) => touch.name === name)
        return matching.length === 1 && matching[0]!.added
      },
    }
  }

  test.each(churnedLists)('$name: pages have each unchanged record once, in order', async (list) => {
    const property = fc.asyncProperty(
      scenario(list),
      async ({ allConnections, args, writes, ...request }) => {
        const query = { list, args, client: allConnections ? application.client : application.narrowed(0) }
        await replaceRows(list)
        const before = await allNodes(query)
        const writer = writerOf(list)
        const paged = await walk(query, request, (page) =>
          db.transaction(async (tx) => {
            for (const one of writes[page] ?? []) await writer.write(tx, one)
          }),
        )
        const after = await allNodes(query)
        const untouched = (name: string) => !writer.touched(name)
        expect(paged.filter(untouched)).toEqual(before.filter(untouched))
        expect(after.filter(untouched)).toEqual(before.filter(untouched))
        // A record that was added meanwhile may be missing, but is never repeated or out of order.
        const stable = (name: string) => paged.includes(name) && (untouched(name) || writer.onlyAdded(name))
        expect(paged.filter(stable)).toEqual(after.filter(stable))

        const noWrites = async () => undefined
        expect(await walk(query, { ...request, backward: false }, noWrites)).toEqual(after)
        expect(await walk(query, { ...request, backward: true }, noWrites)).toEqual(after)
        expect((await pageOf(query, { first: 1 })).totalCount).toBe(after.length)
      },
    )
    await fc.assert(property, { numRuns: RUNS })
  })
})

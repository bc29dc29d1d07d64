import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PublicError } from '../../../src/domain/errors.ts'
import type { Database } from '../../../src/storage/database.ts'
import { pagesByCondition, pagesByParent } from '../../../src/storage/loaders/loaders.ts'
import { type Page, readPage, readPages } from '../../../src/storage/pagination/pagination.ts'
import type { ListQuery } from '../../../src/storage/pagination/list-query.ts'
import type { Where } from '../../../src/storage/sql/where.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import {
  allRows,
  KEY,
  kinds,
  whereOwner,
  OWNERS,
  seedThings,
  rows,
  sorted,
  type TestRow,
  things,
  readAllPages,
} from '../../support/storage/test-table.ts'

const pageSize = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(rows.length))
const orders = fc
  .shuffledSubarray(['owner', 'kind', 'place', 'at', 'weight'] as const)
  .map((columns): (keyof TestRow)[] => [...columns, 'id'])

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    await seedThings(db, rows)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const reading =
    <Row>(list: ListQuery<Row>) =>
    (request: object) =>
      readPage(db, list, request, KEY)

  async function counted<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
    let statements = 0
    const stop = db.onStatement(() => statements++)
    const result = await work()
    stop()
    return { result, statements }
  }

  test('a list in any order returns each row once, forward and backward', async () => {
    const property = fc.asyncProperty(orders, fc.boolean(), pageSize, async (order, descending, size) => {
      const list: ListQuery<TestRow> = { table: things, where: allRows, order, descending }
      const expected = sorted(rows, order, descending)
      expect(await readAllPages(reading(list), size)).toEqual(expected)
      expect(await readAllPages(reading(list), size, true)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: 25 })
  })

  test('a list of parts equals the list of one condition', async () => {
    const some = fc.subarray([...kinds])
    const property = fc.asyncProperty(some, fc.boolean(), pageSize, async (chosen, descending, size) => {
      const order = ['at', 'kind', 'id'] as const
      const list: ListQuery<TestRow> = {
        table: things,
        where: whereOwner('owner_1'),
        order,
        descending,
        parts: { column: 'kind', values: chosen },
        index: ['owner', 'kind', 'at', 'id'],
      }
      const expected = sorted(
        rows.filter(({ owner, kind }) => owner === 'owner_1' && chosen.includes(kind as 'axle')),
        order,
        descending,
      )
      expect(await readAllPages(reading(list), size)).toEqual(expected)
      expect(await readAllPages(reading(list), size, true)).toEqual(expected)
      expect(await (await reading(list)({ first: 1 })).count()).toBe(expected.length)
    })
    await fc.assert(property, { numRuns: 20 })
  })

  describe('pages of several parents', () => {
    const list: ListQuery<TestRow> = { table: things, where: allRows, order: ['at', 'id'] }
    /** The conditions overlap, and one has no rows. */
    const parents = [
      { sql: '`owner` = ? AND `at` BETWEEN ? AND ?', parameters: ['owner_1', 1, 4] },
      { sql: '`owner` = ? OR `kind` = ?', parameters: ['owner_1', 'door'] },
      { sql: '`owner` = ?', parameters: ['nobody'] },
    ] as const
    const expected = [
      rows.filter(({ owner, at }) => owner === 'owner_1' && at >= 1 && at <= 4),
      rows.filter(({ owner, kind }) => owner === 'owner_1' || kind === 'door'),
      [],
    ].map((of) => sorted(of, ['at', 'id'], false).map(({ id }) => id))

    test('take one statement for the rows, and another one on the first count', async () => {
      const { result, statements } = await counted(() => readPages(db, list, { first: 5 }, KEY, parents))
      expect(statements).toBe(1)
      const pages = result as Page<TestRow>[]
      expect(pages.map((page) => page.rows.map(({ id }) => id))).toEqual(
        expected.map((ids) => ids.slice(0, 5)),
      )
      const counts = await counted(() => Promise.all([...pages, ...pages].map((page) => page.count())))
      expect(counts.result.slice(0, 3)).toEqual(expected.map((ids) => ids.length))
      expect(counts.statements).toBe(1)
    })

    test('accept only their own cursors', async () => {
      const [first, second] = (await readPages(db, list, { first: 5 }, KEY, parents)) as Page<TestRow>[]
      const after = first!.cursorOf(first!.rows.at(-1)!)
      const [next, refusal] = await readPages(db, list, { first: 5, after }, KEY, parents)
      expect((next as Page<TestRow>).rows.map(({ id }) => id)).toEqual(expected[0]!.slice(5, 10))
      expect(refusal).toBeInstanceOf(PublicError)
      expect((refusal as PublicError).code).toBe('bad_request')
      await expect(readPage(db, list, { after }, KEY)).rejects.toMatchObject({ code: 'bad_request' })
      expect(second!.cursorOf(first!.rows[0]!)).not.toBe(first!.cursorOf(first!.rows[0]!))
    })

    test('take one statement for hundreds of parents with parts', async () => {
      const many = Array.from({ length: 240 }, (_, at) => whereOwner(`owner_${at % (OWNERS + 1)}`))
      const parts = { column: 'kind', values: kinds } as const
      const parted = { ...list, order: ['at', 'kind', 'id'] as const, parts }
      const { result, statements } = await counted(() => readPages(db, parted, { last: 3 }, KEY, many))
      expect(statements).toBe(1)
      for (const [at, page] of (result as Page<TestRow>[]).entries()) {
        const mine = rows.filter(({ owner }) => owner === `owner_${at % (OWNERS + 1)}`)
        expect(page.rows.map(({ id }) => id)).toEqual(
          sorted(mine, ['at', 'kind', 'id'], false)
            .slice(-3)
            .map(({ id }) => id),
        )
      }
    })

    test('are loaded by key, with equal requests in one statement', async () => {
      const pages = pagesByCondition<TestRow>(db, KEY)
      const { result, statements } = await counted(() =>
        Promise.all(
          [0, 1, 2, 0].map((at) =>
            pages({ key: String(at), where: parents[at]! }, { ...list }, { first: 2 }),
          ),
        ),
      )
      expect(statements).toBe(1)
      expect(result.map((page) => page.rows.map(({ id }) => id))).toEqual(
        [0, 1, 2, 0].map((at) => expected[at]!.slice(0, 2)),
      )
    })

    test('are returned although one of them is refused', async () => {
      const pages = pagesByParent<TestRow>(db, KEY, 'owner')
      const page = await pages('owner_1', list, { first: 2 })
      const after = page.cursorOf(page.rows[1]!)
      const [good, bad] = await Promise.allSettled([
        pages('owner_1', list, { after }),
        pages('owner_2', list, { after }),
      ])
      expect(good.status).toBe('fulfilled')
      expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'bad_request' } })
    })
  })

  describe('a count', () => {
    const list: ListQuery<TestRow> = { table: things, where: whereOwner('owner_2'), order: ['id'] }

    test('covers the whole list on any page, and takes one statement', async () => {
      const { rows: first, cursorOf } = await readPage(db, list, { first: 3 }, KEY)
      const page = await readPage(db, list, { first: 3, after: cursorOf(first[2]!) }, KEY)
      const { result, statements } = await counted(() => Promise.all([page.count(), page.count()]))
      expect(result).toEqual([rows.length / OWNERS, rows.length / OWNERS])
      expect(statements).toBe(1)
    })
  })

  test('a cursor stays valid when the list shows more rows', async () => {
    const list = (shown: Where | null): ListQuery<TestRow> => ({
      table: things,
      where: whereOwner('owner_2'),
      order: ['at', 'id'],
      shown,
    })
    const upTo = (at: number): Where => ({ sql: '`at` <= ?', parameters: [at] })
    const all = sorted(
      rows.filter(({ owner }) => owner === 'owner_2'),
      ['at', 'id'],
      false,
    )
    const early = await readPage(db, list(upTo(2)), { first: 200 }, KEY)
    expect(early.rows).toEqual(all.filter(({ at }) => at <= 2))
    const late = await readPage(db, list(null), { after: early.cursorOf(early.rows.at(-1)!) }, KEY)
    expect([...early.rows, ...late.rows]).toEqual(all)
  })

  test('the next page in an order of three columns is a sorted range of an index', async () => {
    const list: ListQuery<TestRow> = {
      table: things,
      where: whereOwner('owner_2'),
      order: ['at', 'kind', 'id'],
    }
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const recordingDb = {
      dialect,
      rows: <T>(sql: string, parameters: readonly unknown[] = []) => {
        statements.push({ sql, parameters })
        return db.rows<T>(sql, parameters)
      },
    }
    const { rows: page, cursorOf } = await readPage(recordingDb, list, { first: 30 }, KEY)
    await readPage(recordingDb, list, { first: 3, after: cursorOf(page[29]!) }, KEY)
    const { sql, parameters } = statements[1]!
    const explain = dialect === 'mysql' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'
    const plan = JSON.stringify(await db.rows(`${explain} ${sql}`, parameters))
    expect(plan).toContain('things_owner_at_kind_id')
    expect(plan).toMatch(/"type":"range"|owner=\? AND at>/)
    expect(plan).not.toMatch(/filesort|TEMP B-TREE/)
  })
})

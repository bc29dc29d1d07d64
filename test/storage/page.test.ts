import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PublicError } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'
import { pagesByCondition, pagesByParent } from '../../src/storage/loaders.ts'
import { type List, type Page, readPage, readPages } from '../../src/storage/page.ts'
import { viewOf } from '../../src/storage/table.ts'
import type { Where } from '../../src/storage/where.ts'
import { dialects, temporaryDatabase } from '../factories.ts'
import { plantThings, type Thing, things, walk } from './things.ts'

const KEY = Buffer.alloc(32, 1)
const OWNERS = 5
const kinds = ['axle', 'brake', 'clutch', 'door'] as const
const places = [null, 'A', 'B', 'a'] as const
const weights = [null, -1.5, 0, 2, 1e15] as const

/** Few values in each column, so that rows are equal in all columns but the id. */
const rows: readonly Thing[] = Array.from({ length: 240 }, (_, at) => ({
  id: `thing_${(at * 7919) % 1000}`,
  owner: `owner_${at % OWNERS}`,
  kind: kinds[(at >> 2) % kinds.length]!,
  place: places[(at >> 1) % places.length]!,
  at: (at * 31) % 7,
  weight: weights[(at * 3) % weights.length]!,
}))

const everything: Where = { sql: '1 = 1', parameters: [] }
const ofOwner = (owner: string): Where => ({ sql: '`owner` = ?', parameters: [owner] })

/** Nulls before everything else, numbers as numbers, text by its bytes. */
function compare(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (one === null) return -1
  if (other === null) return 1
  return (one as number) < (other as number) ? -1 : 1
}

const sorted = (of: readonly Thing[], order: readonly (keyof Thing)[], descending: boolean): Thing[] =>
  [...of].sort((one, other) => {
    const column = order.find((name) => one[name] !== other[name])
    return column ? compare(one[column], other[column]) * (descending ? -1 : 1) : 0
  })

const pageSize = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(rows.length))
const orders = fc
  .shuffledSubarray(['owner', 'kind', 'place', 'at', 'weight'] as const)
  .map((columns): (keyof Thing)[] => [...columns, 'id'])

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    await plantThings(db, rows)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const reading =
    <Row>(list: List<Row>) =>
    (request: object) =>
      readPage(db, list, request, KEY)

  async function counted<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
    let statements = 0
    const deaf = db.onStatement(() => statements++)
    const result = await work()
    deaf()
    return { result, statements }
  }

  test('a list by any columns, up or down, gives each row once in order, forward and backward', async () => {
    const property = fc.asyncProperty(orders, fc.boolean(), pageSize, async (order, descending, size) => {
      const list: List<Thing> = { table: things, where: everything, order, descending }
      const expected = sorted(rows, order, descending)
      expect(await walk(reading(list), size)).toEqual(expected)
      expect(await walk(reading(list), size, true)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: 25 })
  })

  test('a list of parts gives what the list of one condition gives', async () => {
    const some = fc.subarray([...kinds])
    const property = fc.asyncProperty(some, fc.boolean(), pageSize, async (chosen, descending, size) => {
      const order = ['at', 'kind', 'id'] as const
      const list: List<Thing> = {
        table: things,
        where: ofOwner('owner_1'),
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
      expect(await walk(reading(list), size)).toEqual(expected)
      expect(await walk(reading(list), size, true)).toEqual(expected)
      expect(await (await reading(list)({ first: 1 })).count()).toBe(expected.length)
    })
    await fc.assert(property, { numRuns: 20 })
  })

  describe('a list of sums', () => {
    interface Sum {
      readonly place: string | null
      readonly kind: string
      readonly total: number
      readonly many: number
    }

    const sums = viewOf<Sum>(things, {
      place: '`place`',
      kind: '`kind`',
      total: 'SUM(`at`) + 0e0',
      many: 'COUNT(*)',
    })
    const list: List<Sum> = {
      table: sums,
      where: everything,
      groupBy: ['place', 'kind'],
      order: ['place', 'kind'],
    }

    test('gives each group once in order, by pages of any size', async () => {
      const keys = places.flatMap((place) => kinds.map((kind) => ({ place, kind })))
      const expected = keys
        .map(({ place, kind }) => {
          const group = rows.filter((row) => row.place === place && row.kind === kind)
          return { place, kind, total: group.reduce((sum, { at }) => sum + at, 0), many: group.length }
        })
        .filter(({ many }) => many > 0)
        .sort((one, other) => compare(one.place, other.place) || compare(one.kind, other.kind))
      for (const size of [1, 3, 100])
        for (const backward of [false, true])
          expect(await walk(reading(list), size, backward)).toEqual(expected)
      expect(await (await reading(list)({ first: 1 })).count()).toBe(expected.length)
    })

    test('leaves out the groups that do not have what is asked for', async () => {
      const all = await walk(reading(list), 100)
      const least = all.map(({ total }) => total).sort((one, other) => one - other)[3]!
      const heavy = { ...list, having: { sql: 'SUM(`at`) > ?', parameters: [least] } }
      const expected = all.filter(({ total }) => total > least)
      expect(expected.length).toBeLessThan(all.length)
      expect(await walk(reading(heavy), 2)).toEqual(expected)
      expect(await (await reading(heavy)({ first: 1 })).count()).toBe(expected.length)
    })

    test('is read for several parents at once', async () => {
      const parents = [ofOwner('owner_0'), ofOwner('owner_3')]
      const pages = (await readPages(db, list, { first: 2 }, KEY, parents)) as Page<Sum>[]
      for (const [at, parent] of parents.entries()) {
        const alone = await readPage(db, { ...list, where: parent }, { first: 2 }, KEY)
        expect(pages[at]!.rows.map(({ place, kind, total }) => [place, kind, total])).toEqual(
          alone.rows.map(({ place, kind, total }) => [place, kind, total]),
        )
        expect(await pages[at]!.count()).toBe(await alone.count())
      }
    })
  })

  describe('parents that are any condition', () => {
    const list: List<Thing> = { table: things, where: everything, order: ['at', 'id'] }
    /** They overlap, and one has nothing. */
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

    test('have their pages from one statement, and their counts from another that is only sent when asked', async () => {
      const { result, statements } = await counted(() => readPages(db, list, { first: 5 }, KEY, parents))
      expect(statements).toBe(1)
      const pages = result as Page<Thing>[]
      expect(pages.map((page) => page.rows.map(({ id }) => id))).toEqual(
        expected.map((ids) => ids.slice(0, 5)),
      )
      const counts = await counted(() => Promise.all([...pages, ...pages].map((page) => page.count())))
      expect(counts.result.slice(0, 3)).toEqual(expected.map((ids) => ids.length))
      expect(counts.statements).toBe(1)
    })

    test('each take their own cursors only', async () => {
      const [first, second] = (await readPages(db, list, { first: 5 }, KEY, parents)) as Page<Thing>[]
      const after = first!.cursorOf(first!.rows.at(-1)!)
      const [next, refusal] = await readPages(db, list, { first: 5, after }, KEY, parents)
      expect((next as Page<Thing>).rows.map(({ id }) => id)).toEqual(expected[0]!.slice(5, 10))
      expect(refusal).toBeInstanceOf(PublicError)
      expect((refusal as PublicError).code).toBe('bad_request')
      await expect(readPage(db, list, { after }, KEY)).rejects.toMatchObject({ code: 'bad_request' })
      expect(second!.cursorOf(first!.rows[0]!)).not.toBe(first!.cursorOf(first!.rows[0]!))
    })

    test('can be hundreds, with parts, in one statement', async () => {
      const many = Array.from({ length: 240 }, (_, at) => ofOwner(`owner_${at % (OWNERS + 1)}`))
      const parts = { column: 'kind', values: kinds } as const
      const parted = { ...list, order: ['at', 'kind', 'id'] as const, parts }
      const { result, statements } = await counted(() => readPages(db, parted, { last: 3 }, KEY, many))
      expect(statements).toBe(1)
      for (const [at, page] of (result as Page<Thing>[]).entries()) {
        const mine = rows.filter(({ owner }) => owner === `owner_${at % (OWNERS + 1)}`)
        expect(page.rows.map(({ id }) => id)).toEqual(
          sorted(mine, ['at', 'kind', 'id'], false)
            .slice(-3)
            .map(({ id }) => id),
        )
      }
    })

    test('are loaded by their keys, those that ask the same together', async () => {
      const pages = pagesByCondition<Thing>(db, KEY)
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

    test('of which one is refused do not fail together', async () => {
      const pages = pagesByParent<Thing>(db, KEY, 'owner')
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
    const list: List<Thing> = { table: things, where: ofOwner('owner_2'), order: ['id'] }

    test('is of the whole list whatever the page, and is sent once', async () => {
      const { rows: first, cursorOf } = await readPage(db, list, { first: 3 }, KEY)
      const page = await readPage(db, list, { first: 3, after: cursorOf(first[2]!) }, KEY)
      const { result, statements } = await counted(() => Promise.all([page.count(), page.count()]))
      expect(result).toEqual([rows.length / OWNERS, rows.length / OWNERS])
      expect(statements).toBe(1)
    })
  })

  test('a cursor stays good while more of its list is shown', async () => {
    const list = (settled: Where | null): List<Thing> => ({
      table: things,
      where: ofOwner('owner_2'),
      order: ['at', 'id'],
      settled,
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

  test('the next page of an order of three columns is a range of an index, sorted already', async () => {
    const list: List<Thing> = { table: things, where: ofOwner('owner_2'), order: ['at', 'kind', 'id'] }
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const watched = {
      dialect,
      rows: <T>(sql: string, parameters: readonly unknown[] = []) => {
        statements.push({ sql, parameters })
        return db.rows<T>(sql, parameters)
      },
    }
    const { rows: page, cursorOf } = await readPage(watched, list, { first: 30 }, KEY)
    await readPage(watched, list, { first: 3, after: cursorOf(page[29]!) }, KEY)
    const { sql, parameters } = statements[1]!
    const explain = dialect === 'mysql' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'
    const plan = JSON.stringify(await db.rows(`${explain} ${sql}`, parameters))
    expect(plan).toContain('things_owner_at_kind_id')
    expect(plan).toMatch(/"type":"range"|owner=\? AND at>/)
    expect(plan).not.toMatch(/filesort|TEMP B-TREE/)
  })

  describe('a cursor', () => {
    const list: List<Thing> = { table: things, where: everything, order: ['at', 'id'] }
    let cursor: string
    beforeAll(async () => {
      const page = await readPage(db, list, { first: 3 }, KEY)
      cursor = page.cursorOf(page.rows[2]!)
    })

    const refuses = async (text: string) => {
      for (const request of [{ after: text }, { before: text }])
        await expect(readPage(db, list, request, KEY)).rejects.toMatchObject({
          code: 'bad_request',
          detail: [{ path: Object.keys(request)[0] }],
        })
    }

    test('is refused with anything before, after or within it', async () => {
      const junk = fc.string({ minLength: 1, maxLength: 5, unit: 'binary' })
      const property = fc.asyncProperty(junk, fc.nat(cursor.length), (more, at) =>
        refuses(cursor.slice(0, at) + more + cursor.slice(at)),
      )
      await fc.assert(property, {
        numRuns: 60,
        examples: [' ', '=', '==', '\n', '+', '/', '\0'].flatMap((more): [string, number][] => [
          [more, cursor.length],
          [more, 4],
        ]),
      })
    })

    test('is refused with any character changed or left out, stray bits at its end among them', async () => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      for (const letter of letters) {
        const changed = cursor.slice(0, -1) + letter
        if (changed !== cursor) await refuses(changed)
      }
      for (let at = 0; at < cursor.length; at++) await refuses(cursor.slice(0, at) + cursor.slice(at + 1))
    })

    test('is refused when it is any other text', async () => {
      const property = fc.asyncProperty(fc.string({ maxLength: 80, unit: 'binary' }), refuses)
      await fc.assert(property, { numRuns: 60, examples: [[''], ['e30'], ['null'], [cursor.repeat(2)]] })
    })
  })
})

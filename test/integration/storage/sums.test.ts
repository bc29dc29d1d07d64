import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { type Page, readPage, readPages } from '../../../src/storage/pagination/pagination.ts'
import type { ListQuery } from '../../../src/storage/pagination/list-query.ts'
import { tableOfExpressions } from '../../../src/storage/sql/table.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import {
  compare,
  allRows,
  KEY,
  kinds,
  whereOwner,
  places,
  seedThings,
  rows,
  things,
  readAllPages,
} from '../../support/storage/test-table.ts'

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    await seedThings(db, rows)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const pageReader =
    <Row>(list: ListQuery<Row>) =>
    (request: object) =>
      readPage(db, list, request, KEY)

  describe('a list with GROUP BY', () => {
    interface GroupSum {
      readonly place: string | null
      readonly kind: string
      readonly total: number
      readonly count: number
    }

    const sums = tableOfExpressions<GroupSum>(things, {
      place: '`place`',
      kind: '`kind`',
      total: 'SUM(`at`) + 0e0',
      count: 'COUNT(*)',
    })
    const list: ListQuery<GroupSum> = {
      table: sums,
      where: allRows,
      groupBy: ['place', 'kind'],
      order: ['place', 'kind'],
    }

    test('returns each group once in order, with any page size', async () => {
      const keys = places.flatMap((place) => kinds.map((kind) => ({ place, kind })))
      const expected = keys
        .map(({ place, kind }) => {
          const group = rows.filter((row) => row.place === place && row.kind === kind)
          return { place, kind, total: group.reduce((sum, { at }) => sum + at, 0), count: group.length }
        })
        .filter(({ count }) => count > 0)
        .sort((one, other) => compare(one.place, other.place) || compare(one.kind, other.kind))
      for (const size of [1, 3, 100])
        for (const backward of [false, true])
          expect(await readAllPages(pageReader(list), size, backward)).toEqual(expected)
      expect(await (await pageReader(list)({ first: 1 })).count()).toBe(expected.length)
    })

    test('omits the groups that do not satisfy HAVING', async () => {
      const all = await readAllPages(pageReader(list), 100)
      const threshold = all.map(({ total }) => total).sort((one, other) => one - other)[3]!
      const filtered = { ...list, having: { sql: 'SUM(`at`) > ?', parameters: [threshold] } }
      const expected = all.filter(({ total }) => total > threshold)
      expect(expected.length).toBeLessThan(all.length)
      expect(await readAllPages(pageReader(filtered), 2)).toEqual(expected)
      expect(await (await pageReader(filtered)({ first: 1 })).count()).toBe(expected.length)
    })

    test('returns a page for each of several parents in one call', async () => {
      const parents = [whereOwner('owner_0'), whereOwner('owner_3')]
      const pages = (await readPages(db, list, { first: 2 }, KEY, parents)) as Page<GroupSum>[]
      for (const [at, parent] of parents.entries()) {
        const alone = await readPage(db, { ...list, where: parent }, { first: 2 }, KEY)
        expect(pages[at]!.rows.map(({ place, kind, total }) => [place, kind, total])).toEqual(
          alone.rows.map(({ place, kind, total }) => [place, kind, total]),
        )
        expect(await pages[at]!.count()).toBe(await alone.count())
      }
    })
  })
})

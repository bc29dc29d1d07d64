import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { type Page, readPage, readPages } from '../../../src/storage/pagination/pagination.ts'
import type { ListQuery } from '../../../src/storage/pagination/list-query.ts'
import { tableOfExpressions } from '../../../src/storage/sql/table.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import {
  compare,
  everything,
  KEY,
  kinds,
  ofOwner,
  places,
  seedThings,
  rows,
  things,
  walk,
} from '../../support/storage/test-table.ts'

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

  describe('a list of sums', () => {
    interface Sum {
      readonly place: string | null
      readonly kind: string
      readonly total: number
      readonly many: number
    }

    const sums = tableOfExpressions<Sum>(things, {
      place: '`place`',
      kind: '`kind`',
      total: 'SUM(`at`) + 0e0',
      many: 'COUNT(*)',
    })
    const list: ListQuery<Sum> = {
      table: sums,
      where: everything,
      groupBy: ['place', 'kind'],
      order: ['place', 'kind'],
    }

    test('returns each group once in order, with any page size', async () => {
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

    test('leaves out groups that do not meet the condition', async () => {
      const all = await walk(reading(list), 100)
      const least = all.map(({ total }) => total).sort((one, other) => one - other)[3]!
      const heavy = { ...list, having: { sql: 'SUM(`at`) > ?', parameters: [least] } }
      const expected = all.filter(({ total }) => total > least)
      expect(expected.length).toBeLessThan(all.length)
      expect(await walk(reading(heavy), 2)).toEqual(expected)
      expect(await (await reading(heavy)({ first: 1 })).count()).toBe(expected.length)
    })

    test('is read for several parents in one call', async () => {
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
})

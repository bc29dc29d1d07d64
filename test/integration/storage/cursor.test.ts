import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { readPage } from '../../../src/storage/pagination/pagination.ts'
import type { ListQuery } from '../../../src/storage/pagination/list-query.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import { allRows, KEY, seedThings, rows, type TestRow, things } from '../../support/storage/test-table.ts'

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    await seedThings(db, rows)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  describe('a cursor', () => {
    const list: ListQuery<TestRow> = { table: things, where: allRows, order: ['at', 'id'] }
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

    test('is refused with added characters at any place', async () => {
      const junk = fc.string({ minLength: 1, maxLength: 5, unit: 'binary' })
      const property = fc.asyncProperty(junk, fc.nat(cursor.length), (added, at) =>
        refuses(cursor.slice(0, at) + added + cursor.slice(at)),
      )
      await fc.assert(property, {
        numRuns: 60,
        examples: [' ', '=', '==', '\n', '+', '/', '\0'].flatMap((added): [string, number][] => [
          [added, cursor.length],
          [added, 4],
        ]),
      })
    })

    test('is refused with any character changed or removed, including unused bits at its end', async () => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      for (const letter of letters) {
        const changed = cursor.slice(0, -1) + letter
        if (changed !== cursor) await refuses(changed)
      }
      for (let at = 0; at < cursor.length; at++) await refuses(cursor.slice(0, at) + cursor.slice(at + 1))
    })

    test('is refused if it is any other text', async () => {
      const property = fc.asyncProperty(fc.string({ maxLength: 80, unit: 'binary' }), refuses)
      await fc.assert(property, { numRuns: 60, examples: [[''], ['e30'], ['null'], [cursor.repeat(2)]] })
    })
  })
})

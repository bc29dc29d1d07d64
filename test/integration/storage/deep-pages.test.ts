import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Transaction } from '../../../src/storage/database.ts'
import { type PageRequest, readPage } from '../../../src/storage/pagination/pagination.ts'
import type { ListQuery } from '../../../src/storage/pagination/list-query.ts'
import type { Where } from '../../../src/storage/sql/where.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import { seedThings, type TestRow, things } from '../../support/storage/test-table.ts'

const ROWS = 20_000
const OWNERS = 2
const PAGE = 50
const KEY = [Buffer.alloc(32, 1)]
const kinds = ['axle', 'brake', 'clutch'] as const

/** Not in the order of anything but their numbers. */
const rows: readonly TestRow[] = Array.from({ length: ROWS }, (_, at) => ({
  id: `thing_${String((at * 7919) % ROWS).padStart(6, '0')}`,
  owner: `owner_${at % OWNERS}`,
  kind: kinds[(at >> 1) % kinds.length]!,
  place: null,
  at: at >> 2,
  weight: at,
}))

const where: Where = { sql: '`owner` = ?', parameters: ['owner_1'] }
const lists: Readonly<Record<string, ListQuery<TestRow>>> = {
  'a list by an index': {
    table: things,
    where,
    order: ['at', 'kind', 'id'],
    index: ['owner', 'at', 'kind', 'id'],
  },
  'a list of parts': {
    table: things,
    where,
    order: ['at', 'kind', 'id'],
    parts: { column: 'kind', values: ['axle', 'clutch'] },
    index: ['owner', 'kind', 'at', 'id'],
  },
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    await seedThings(db, rows)
    if (dialect === 'mysql') await db.rows('ANALYZE TABLE `things`')
  })
  afterAll(() => db[Symbol.asyncDispose]())

  /** The statement that reads a page. */
  async function statementOf(list: ListQuery<TestRow>, request: PageRequest): Promise<Where> {
    let statement: Where | undefined
    const watched = {
      dialect,
      rows: <T>(sql: string, parameters: readonly unknown[] = []) => {
        statement = { sql, parameters }
        return db.rows<T>(sql, parameters)
      },
    }
    await readPage(watched, list, request, KEY)
    return statement!
  }

  /** How many entries of an index were looked at. */
  async function entriesRead(tx: Transaction): Promise<number> {
    const counters = await tx.rows<{ Value: string }>(
      "SHOW SESSION STATUS WHERE `Variable_name` IN ('Handler_read_next', 'Handler_read_prev', 'Handler_icp_attempts')",
    )
    return counters.reduce((sum, { Value }) => sum + Number(Value), 0)
  }

  async function checkCost({ sql, parameters }: Where): Promise<void> {
    if (dialect === 'sqlite') {
      const plan = await db.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters)
      const searches = plan.map(({ detail }) => detail).filter((detail) => detail.includes('things'))
      for (const search of searches)
        expect(search).toMatch(/USING (COVERING )?INDEX things_owner.* \(owner=\?.* AND at[<>]\?\)/)
      return
    }
    await db.transaction(async (tx) => {
      const before = await entriesRead(tx)
      await tx.rows(sql, parameters)
      // An entry is counted when its condition is looked at and when it is read; a few are those of equal times.
      expect((await entriesRead(tx)) - before).toBeLessThan(5 * PAGE)
    })
  }

  describe.each(Object.entries(lists))('%s', (_, list) => {
    test.each([0.01, 0.1, 0.3, 0.6, 0.95])(
      'costs a page what it holds, %d of the way down',
      async (depth) => {
        const mine = await readPage(db, { ...list, limits: { preset: ROWS, maximum: ROWS } }, {}, KEY)
        const cursor = mine.cursorOf(mine.rows[Math.floor(depth * mine.rows.length)]!)
        await checkCost(await statementOf(list, { first: PAGE, after: cursor }))
        await checkCost(await statementOf(list, { last: PAGE, before: cursor }))
      },
    )
  })
})

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

/** Ids, owners and kinds are not in the order of the rows. */
const rows: readonly TestRow[] = Array.from({ length: ROWS }, (_, index) => ({
  id: `thing_${String((index * 7919) % ROWS).padStart(6, '0')}`,
  owner: `owner_${index % OWNERS}`,
  kind: kinds[(index >> 1) % kinds.length]!,
  place: null,
  at: index >> 2,
  weight: index,
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

  /** Returns the statement that reads a page. */
  async function statementOf(list: ListQuery<TestRow>, request: PageRequest): Promise<Where> {
    let statement: Where | undefined
    const recordingDb = {
      dialect,
      rows: <T>(sql: string, parameters: readonly unknown[] = []) => {
        statement = { sql, parameters }
        return db.rows<T>(sql, parameters)
      },
    }
    await readPage(recordingDb, list, request, KEY)
    return statement!
  }

  /** Returns the number of index entries that the session has read. */
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
      // The counters include each entry twice, for its condition and its read, and entries of equal times.
      expect((await entriesRead(tx)) - before).toBeLessThan(5 * PAGE)
    })
  }

  describe.each(Object.entries(lists))('%s', (_, list) => {
    test.each([0.01, 0.1, 0.3, 0.6, 0.95])(
      'reads only the entries of a page, at a depth of %d',
      async (depth) => {
        const all = await readPage(db, { ...list, limits: { preset: ROWS, maximum: ROWS } }, {}, KEY)
        const cursor = all.cursorOf(all.rows[Math.floor(depth * all.rows.length)]!)
        await checkCost(await statementOf(list, { first: PAGE, after: cursor }))
        await checkCost(await statementOf(list, { last: PAGE, before: cursor }))
      },
    )
  })
})

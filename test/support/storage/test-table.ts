import { Entity } from 'typeorm'
import { IdColumn, InstantColumn, KeyColumn, NumberColumn } from '../../../src/storage/sql/columns.ts'
import type { Database } from '../../../src/storage/database.ts'
import { createTable } from '../../../src/storage/sql/dialect.ts'
import { type Page, type PageRequest } from '../../../src/storage/pagination/pagination.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import type { Where } from '../../../src/storage/sql/where.ts'

/** Rows of a test-only table, with a column for each kind of order, grouping and sum. */
@Entity('things')
export class TestRow {
  @KeyColumn()
  id: string

  @IdColumn()
  owner: string

  @IdColumn()
  kind: string

  @IdColumn({ nullable: true })
  place: string | null

  @InstantColumn()
  at: number

  @NumberColumn({ nullable: true })
  weight: number | null
}

export const things = tableOf(TestRow)

export async function seedThings(db: Database, rows: readonly TestRow[]): Promise<void> {
  const definition = {
    name: 'things',
    columns: `
      id ID NOT NULL
      owner ID NOT NULL
      kind ID NOT NULL
      place ID NULL
      at INSTANT NOT NULL
      weight NUMBER NULL`,
    primaryKey: ['id'],
    indexes: [
      ['owner', 'at', 'kind', 'id'],
      ['owner', 'kind', 'at', 'id'],
      ['owner', 'place', 'weight', 'id'],
    ],
  }
  await db.transaction(async (tx) => {
    for (const sql of createTable(db.dialect, definition)) await tx.run(sql)
    await tx.insert(things, rows)
  })
}

export const KEY = [Buffer.alloc(32, 1)]
export const OWNERS = 5
export const kinds = ['axle', 'brake', 'clutch', 'door'] as const
export const places = [null, 'A', 'B', 'a'] as const
const weights = [null, -1.5, 0, 2, 1e15] as const

/** Columns have few distinct values, so rows can be equal in all columns but the id. */
export const rows: readonly TestRow[] = Array.from({ length: 240 }, (_, index) => ({
  id: `thing_${(index * 7919) % 1000}`,
  owner: `owner_${index % OWNERS}`,
  kind: kinds[(index >> 2) % kinds.length]!,
  place: places[(index >> 1) % places.length]!,
  at: (index * 31) % 7,
  weight: weights[(index * 3) % weights.length]!,
}))

export const allRows: Where = { sql: '1 = 1', parameters: [] }
export const whereOwner = (owner: string): Where => ({ sql: '`owner` = ?', parameters: [owner] })

/** Compares values in the order of the databases: nulls first, numbers by value, texts by bytes. */
export function compare(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (one === null) return -1
  if (other === null) return 1
  return (one as number) < (other as number) ? -1 : 1
}

export const sorted = (
  of: readonly TestRow[],
  order: readonly (keyof TestRow)[],
  descending: boolean,
): TestRow[] =>
  [...of].sort((one, other) => {
    const column = order.find((name) => one[name] !== other[name])
    return column ? compare(one[column], other[column]) * (descending ? -1 : 1) : 0
  })

type Read<Row> = (request: PageRequest) => Promise<Page<Row>>

/** Reads all pages of a list, from its start or from its end. Returns the rows in the order of the list. */
export async function readAllPages<Row>(read: Read<Row>, size: number, backward = false): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = null; ;) {
    const page: Page<Row> = await read(
      backward ? { last: size, before: cursor } : { first: size, after: cursor },
    )
    rows.splice(backward ? 0 : rows.length, 0, ...page.rows)
    if (!(backward ? page.hasPreviousPage : page.hasNextPage)) return rows
    cursor = page.cursorOf((backward ? page.rows[0] : page.rows.at(-1))!)
  }
}

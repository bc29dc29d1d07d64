import { Entity } from 'typeorm'
import { IdColumn, InstantColumn, KeyColumn, NumberColumn } from '../../src/storage/columns.ts'
import type { Database } from '../../src/storage/database.ts'
import { createTable } from '../../src/storage/dialect.ts'
import { type Page, type PageRequest } from '../../src/storage/page.ts'
import { tableOf } from '../../src/storage/table.ts'

/** Rows of a table that only these suites have: everything a list can be ordered, parted and summed by. */
@Entity('things')
export class Thing {
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

export const things = tableOf(Thing)

export async function plantThings(db: Database, rows: readonly Thing[]): Promise<void> {
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

type Read<Row> = (request: PageRequest) => Promise<Page<Row>>

/** Every row of a list by pages, from its start or from its end. */
export async function walk<Row>(read: Read<Row>, size: number, backward = false): Promise<Row[]> {
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

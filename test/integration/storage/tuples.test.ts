import { describe, expect, test } from 'vitest'
import { tupleIn } from '../../../src/storage/sql/dialect.ts'
import { dialects, temporaryDatabase } from '../../support/factories.ts'
import { seedThings, type TestRow, things } from '../../support/storage/test-table.ts'

const rows: readonly TestRow[] = Array.from({ length: 100 }, (_, index) => ({
  id: `thing_${String(index).padStart(3, '0')}`,
  owner: `owner_${index % 2}`,
  kind: 'axle',
  place: null,
  at: index >> 2,
  weight: index,
}))

const keys = [
  ['owner_0', 3],
  ['owner_1', 5],
  ['owner_2', 5],
] as const

describe.each(dialects)('a tuple condition on %s', (dialect) => {
  test('selects only the rows of the tuples', async () => {
    await using db = await temporaryDatabase(dialect)
    await seedThings(db, rows)
    const { sql, parameters } = tupleIn(dialect, ['owner', 'at'], keys)
    const found = await db.rows<TestRow>(
      `SELECT * FROM \`${things.name}\` WHERE ${sql} ORDER BY \`id\``,
      parameters,
    )
    expect(found.map(({ id }) => id)).toEqual(['thing_012', 'thing_014', 'thing_021', 'thing_023'])
  })
})

const byKey = {
  vehicle_locations: { vehicleId: 'veh_1', locatedAt: 5 },
  vehicle_stat_logs: { vehicleId: 'veh_1', timestamp: 5, type: 'odometer' },
  raw_points: { ownerId: 'veh_1', at: 5, series: 'location' },
} as const

test.each(Object.entries(byKey))(
  'points of %s are looked up by the whole key on SQLite',
  async (name, key) => {
    await using db = await temporaryDatabase('sqlite')
    const columns = Object.keys(key)
    const { sql, parameters } = tupleIn('sqlite', columns, [Object.values(key), Object.values(key)])
    const plan = await db.rows<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT * FROM \`${name}\` WHERE ${sql}`,
      parameters,
    )
    const equal = columns.map((column) => `${column}=?`).join(' AND ')
    expect(plan[0]?.detail).toContain(`(${equal})`)
  },
)

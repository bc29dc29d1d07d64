import { describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const SERIES_TABLES = ['vehicle_locations', 'vehicle_stat_logs'] as const

/** Limit for a sync without new data and its request. It determines the throughput of the service. */
const MAX_STATEMENTS = 75

describe.each(stores)('a repeated sync on %s', (store) => {
  test('without new data needs few statements and writes no known points', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    const before = await newest(harness)
    harness.moveClock(1)
    const statements: string[] = []
    const stop = harness.db.onStatement((sql) => statements.push(sql))
    await harness.sync()
    stop()
    expect(statements.length).toBeLessThan(MAX_STATEMENTS)
    expect(await newest(harness)).toEqual(before)
  })
})

async function newest(harness: SyncHarness): Promise<unknown> {
  return Promise.all(
    SERIES_TABLES.map((table) =>
      harness.db.rows(`SELECT MAX(\`modifiedAt\`) AS \`newest\`, COUNT(*) AS \`points\` FROM \`${table}\``),
    ),
  )
}

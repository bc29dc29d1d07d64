import { describe, expect, test } from 'vitest'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const SERIES = ['vehicle_locations', 'vehicle_stat_logs'] as const

/** What a sync runs where it finds nothing new, and its request: it is the throughput of the whole service. */
const MOST_STATEMENTS = 75

describe.each(stores)('a sync after others on %s', (store) => {
  test('costs little where there is nothing new, and leaves alone the points that it knows', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    const before = await newest(harness)
    harness.moveClock(1)
    const statements: string[] = []
    const stop = harness.db.onStatement((sql) => statements.push(sql))
    await harness.sync()
    stop()
    expect(statements.length).toBeLessThan(MOST_STATEMENTS)
    expect(await newest(harness)).toEqual(before)
  })
})

async function newest(harness: SyncHarness): Promise<unknown> {
  return Promise.all(
    SERIES.map((table) =>
      harness.db.rows(`SELECT MAX(\`modifiedAt\`) AS \`newest\`, COUNT(*) AS \`points\` FROM \`${table}\``),
    ),
  )
}

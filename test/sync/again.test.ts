import { describe, expect, test } from 'vitest'
import { stores } from '../stores.ts'
import { SyncRig } from './rig.ts'

const SERIES = ['vehicle_locations', 'vehicle_stat_logs'] as const

/** What a sync runs where it finds nothing new, and its request: it is the throughput of the whole service. */
const MOST_STATEMENTS = 75

describe.each(stores)('a sync after others on %s', (store) => {
  test('costs little where there is nothing new, and leaves alone the points that it knows', async () => {
    await using rig = await SyncRig.start(store)
    await rig.sync()
    const before = await newest(rig)
    rig.moveClock(1)
    const statements: string[] = []
    const stop = rig.db.onStatement((sql) => statements.push(sql))
    await rig.sync()
    stop()
    expect(statements.length).toBeLessThan(MOST_STATEMENTS)
    expect(await newest(rig)).toEqual(before)
  })
})

async function newest(rig: SyncRig): Promise<unknown> {
  return Promise.all(
    SERIES.map((table) =>
      rig.db.rows(`SELECT MAX(\`modifiedAt\`) AS \`newest\`, COUNT(*) AS \`points\` FROM \`${table}\``),
    ),
  )
}

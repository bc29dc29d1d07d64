import { expect, test, vi } from 'vitest'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { startWorker } from '../../../src/sync/worker.ts'
import { IftaHarness } from '../../support/ifta/ifta-harness.ts'
import { drive, place } from '../../support/ifta/tracks.ts'
import { eventually, SyncHarness } from '../../support/sync/sync-harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Two hours. The first sync of a connection here covers six. */
const RETENTION_DAYS = 2 / 24

const pointsBefore = async (harness: SyncHarness, instant: number): Promise<number> =>
  (await harness.count(`\`vehicle_locations\` WHERE \`locatedAt\` < ${instant}`)) +
  (await harness.count(`\`vehicle_stat_logs\` WHERE \`timestamp\` < ${instant}`)) +
  (await harness.count(`\`raw_points\` WHERE \`at\` < ${instant}`))

test('a sync reads no points older than the retention, also if its start is earlier', async () => {
  await using harness = await SyncHarness.start('sqlite')
  const tools = { ...harness.tools, retentionDays: RETENTION_DAYS }
  const keptFrom = tools.clock.now() - 2 * HOUR_MS
  for (const startFrom of [null, tools.clock.now() - 5 * HOUR_MS]) {
    const { id } = await harness.request()
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `syncs` SET `startFrom` = ? WHERE `id` = ?', [startFrom, id]),
    )
    await syncConnection(tools, id, { id, attempt: 1, signal: new AbortController().signal })
    expect(await harness.syncRow()).toMatchObject({ status: 'completed' })
  }
  expect(await pointsBefore(harness, keptFrom)).toBe(0)
  expect(await harness.count('`vehicle_locations`')).toBeGreaterThan(100)
  expect(await harness.count(`\`trips\` WHERE \`endedAt\` < ${keptFrom}`)).toBeGreaterThan(0)
})

test('a worker removes old points at its start, and schedules further removals', async () => {
  await using harness = await SyncHarness.start('sqlite')
  await harness.sync()
  const keptFrom = harness.tools.clock.now() - 2 * HOUR_MS
  expect(await pointsBefore(harness, keptFrom)).toBeGreaterThan(0)
  const newer = await harness.count(`\`vehicle_locations\` WHERE \`locatedAt\` >= ${keptFrom}`)
  const tools = { ...harness.tools, retentionDays: RETENTION_DAYS }
  const schedule = vi.spyOn(tools.queue, 'schedule')
  const worker = await startWorker(tools, { pollMs: DAY_MS, syncMs: DAY_MS })
  await eventually(async () => (await pointsBefore(harness, keptFrom)) === 0)
  await eventually(async () => schedule.mock.calls.some(([job]) => job === 'retention'))
  await worker.close()
  expect(
    await harness.count(`\`vehicle_locations\` WHERE \`locatedAt\` >= ${keptFrom}`),
  ).toBeGreaterThanOrEqual(newer)
})

test('the IFTA distances of a month stay when its first points are removed', async () => {
  const lastMonth = new Date(Date.now() - 31 * DAY_MS).toISOString().slice(0, 'YYYY-MM'.length)
  const noon = Date.parse(`${lastMonth}-15T17:00:00Z`)
  await using harness = await IftaHarness.start('sqlite')
  const track = [...drive([place(39.05, -95), place(39.05, -94.2)], { startAt: noon })]
  await harness.seed('truck', track)
  await harness.compute()
  const before = await harness.months()
  expect(before).not.toEqual([])
  const removedBefore = track[track.length >> 1]!.locatedAt
  await harness.db.transaction((tx) =>
    tx.run('DELETE FROM `vehicle_locations` WHERE `locatedAt` < ?', [removedBefore]),
  )
  await harness.seed(
    'truck',
    drive([place(39.05, -94.2), place(39.05, -95)], { startAt: noon + 5 * HOUR_MS }),
  )
  harness.harness.moveClock(7 * HOUR_MS)
  await harness.compute({ keptFrom: removedBefore })
  expect(await harness.months()).toEqual(before)
})

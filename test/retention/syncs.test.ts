import { expect, test, vi } from 'vitest'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { startWorker } from '../../src/sync/worker.ts'
import { IftaRig } from '../ifta/rig.ts'
import { drive, place } from '../ifta/tracks.ts'
import { eventually, SyncRig } from '../sync/rig.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Two hours; a connection's first sync here asks for six. */
const RETENTION_DAYS = 2 / 24

const pointsBefore = async (rig: SyncRig, instant: number): Promise<number> =>
  (await rig.count(`\`vehicle_locations\` WHERE \`locatedAt\` < ${instant}`)) +
  (await rig.count(`\`vehicle_stat_logs\` WHERE \`timestamp\` < ${instant}`)) +
  (await rig.count(`\`raw_points\` WHERE \`at\` < ${instant}`))

test('a sync reads no points that would be removed, also where it is asked for them', async () => {
  await using rig = await SyncRig.start('sqlite')
  const tools = { ...rig.tools, retentionDays: RETENTION_DAYS }
  const kept = tools.clock.now() - 2 * HOUR_MS
  for (const startFrom of [null, tools.clock.now() - 5 * HOUR_MS]) {
    const { id } = await rig.request()
    await rig.db.transaction((tx) =>
      tx.run('UPDATE `syncs` SET `startFrom` = ? WHERE `id` = ?', [startFrom, id]),
    )
    await syncConnection(tools, id, { id, attempt: 1, signal: new AbortController().signal })
    expect(await rig.syncRow()).toMatchObject({ status: 'completed' })
  }
  expect(await pointsBefore(rig, kept)).toBe(0)
  expect(await rig.count('`vehicle_locations`')).toBeGreaterThan(100)
  expect(await rig.count(`\`trips\` WHERE \`endedAt\` < ${kept}`)).toBeGreaterThan(0)
})

test('a worker removes old points when it starts, and keeps doing so', async () => {
  await using rig = await SyncRig.start('sqlite')
  await rig.sync()
  const kept = rig.tools.clock.now() - 2 * HOUR_MS
  expect(await pointsBefore(rig, kept)).toBeGreaterThan(0)
  const newer = await rig.count(`\`vehicle_locations\` WHERE \`locatedAt\` >= ${kept}`)
  const tools = { ...rig.tools, retentionDays: RETENTION_DAYS }
  const every = vi.spyOn(tools.queue, 'every')
  const worker = await startWorker(tools, { pollMs: DAY_MS, syncMs: DAY_MS })
  await eventually(async () => (await pointsBefore(rig, kept)) === 0)
  await eventually(async () => every.mock.calls.some(([job]) => job === 'retention'))
  await worker.close()
  expect(await rig.count(`\`vehicle_locations\` WHERE \`locatedAt\` >= ${kept}`)).toBeGreaterThanOrEqual(
    newer,
  )
})

test('miles of a month stay as they were added up, when its first points are gone', async () => {
  const lastMonth = new Date(Date.now() - 31 * DAY_MS).toISOString().slice(0, 'YYYY-MM'.length)
  const noon = Date.parse(`${lastMonth}-15T17:00:00Z`)
  await using rig = await IftaRig.start('sqlite')
  const track = [...drive([place(39.05, -95), place(39.05, -94.2)], { startAt: noon })]
  await rig.plant('truck', track)
  await rig.compute()
  const before = await rig.months()
  expect(before).not.toEqual([])
  const gone = track[track.length >> 1]!.locatedAt
  await rig.db.transaction((tx) => tx.run('DELETE FROM `vehicle_locations` WHERE `locatedAt` < ?', [gone]))
  await rig.plant('truck', drive([place(39.05, -94.2), place(39.05, -95)], { startAt: noon + 5 * HOUR_MS }))
  rig.rig.moveClock(7 * HOUR_MS)
  await rig.compute({ keptFrom: gone })
  expect(await rig.months()).toEqual(before)
})

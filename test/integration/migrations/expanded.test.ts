import { describe, expect, test } from 'vitest'
import { latestModels } from '../../../src/domain/record-models.ts'
import { addColumns } from '../../../src/storage/sql/dialect.ts'
import { type DatabaseLocation, dialectOf, withRunner } from '../../../src/storage/migrate.ts'
import { restAppOver } from '../../prove/support/rest-app.ts'
import { stores } from '../../support/database/stores.ts'
import { addClient } from '../../support/sync/add-client.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'
import { placeOf, tableNames } from '../../support/migrations/migration-harness.ts'

/** Columns that a later version may add while this one runs. */
const LATER = `
  laterText TEXT NULL
  laterNumber NUMBER NOT NULL DEFAULT 7`

const expand = (place: DatabaseLocation): Promise<void> =>
  withRunner(place, async (runner) => {
    for (const table of await tableNames(runner)) await addColumns(runner, dialectOf(runner), table, LATER)
  })

const LISTS = [
  'groups',
  'drivers',
  'vehicles?expand=groups',
  'vehicles/locations',
  'vehicles/utilization?startDate=2026-01-01&endDate=2026-12-31',
  'trailers',
  'trailers/locations',
  'devices',
  'trips?expand=vehicle,driver',
  'hos/logs',
  'hos/daily-logs',
  'hos/available-time',
  'safety/events',
  'fault-codes/events',
  'syncs',
  'issues',
]

describe.each(stores)('this version on the tables of a later one, on %s', (store) => {
  test('returns the same data and continues to write', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    for (const model of latestModels) await harness.poll(model)
    await harness.dispatch()
    const app = restAppOver(harness.db, await addClient(harness.db, harness.connectionId))
    const [vehicle] = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `vehicles` ORDER BY `id` LIMIT 1',
    )
    const paths = [
      ...LISTS,
      ...['locations', 'stats/historical'].map((list) => `vehicles/${vehicle?.id}/${list}`),
    ]
    const responses = async () => {
      const bodies: object[] = []
      for (const path of paths) bodies.push(await app.get<object>(`/${path}`))
      return bodies
    }
    const before = await responses()
    await expand(placeOf(harness.home))
    expect(await responses()).toEqual(before)
    const counts = () =>
      Promise.all(['vehicle_locations', 'events', 'syncs'].map((table) => harness.count(table)))
    const written = await counts()
    harness.moveClock(3_600_000)
    await harness.control('clock', { offsetMs: 3_600_000 })
    await harness.sync()
    for (const model of latestModels) await harness.poll(model)
    await harness.dispatch()
    expect(await harness.syncRow()).toMatchObject({ status: 'completed', progress: 100 })
    for (const [at, count] of (await counts()).entries()) expect(count).toBeGreaterThan(written[at]!)
    await responses()
    await app.close()
  })
})

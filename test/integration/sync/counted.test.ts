import { afterEach, expect, test } from 'vitest'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { storedRecords } from '../../../src/platform/instrumentation.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

let deafen = () => {}
afterEach(() => deafen())

/** How many records of each model were told to be stored. */
function counts(): Map<string, number> {
  const told = new Map<string, number>()
  deafen = storedRecords.on(({ model, count }) => told.set(model, (told.get(model) ?? 0) + count))
  return told
}

/** A database that loses the first transaction that has written a table. */
function losing({ db }: WorkerDeps, table: string): WorkerDeps['db'] {
  let isLost = false
  const transaction: typeof db.transaction = (work, again) =>
    db.transaction(async (tx) => {
      let isOfTable = false
      const hear = db.onStatement((sql) => (isOfTable ||= sql.includes(`INTO \`${table}\``)))
      const done = await work(tx).finally(hear)
      if (!isOfTable || isLost) return done
      isLost = true
      throw new Error('the commit is lost')
    }, again)
  return { ...db, transaction }
}

test.each(stores)('a page whose commit is lost counts once, when it is stored, on %s', async (store) => {
  await using harness = await SyncHarness.start(store)
  const told = counts()
  const { id } = await harness.request()
  const tools = { ...harness.tools, db: losing(harness.tools, 'vehicles') }
  const attempt = (count: number) =>
    syncConnection(tools, id, { id: `job-${count}`, attempt: count, signal: new AbortController().signal })
  await expect(attempt(1)).rejects.toThrow('the commit is lost')
  await attempt(2)
  expect(told.get('Vehicle')).toBe(await harness.count('`vehicles`'))
})

test('what the filters of a connection keep from being stored does not count', async () => {
  await using harness = await SyncHarness.start('sqlite')
  await harness.sync()
  const [one] = await harness.db.rows<{ id: string }>('SELECT `id` FROM `vehicles` LIMIT 1')
  const filters = JSON.stringify({ vehicles: { includeIds: [one?.id] } })
  await harness.db.transaction(async (tx) => {
    await tx.run('UPDATE `connections` SET `filters` = ?', [filters])
    await tx.run('DELETE FROM `checkpoints`')
    await tx.run('DELETE FROM `vehicle_locations`')
  })
  const told = counts()
  await harness.sync()
  expect(told.get('VehicleLocation')).toBeGreaterThan(0)
  expect(told.get('VehicleLocation')).toBe(await harness.count('`vehicle_locations`'))
})

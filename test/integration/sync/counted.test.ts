import { afterEach, expect, test } from 'vitest'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { storedRecords } from '../../../src/platform/instrumentation.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

let unsubscribe = () => {}
afterEach(() => unsubscribe())

/** Returns the number of stored records that the instrumentation reports for each model. */
function counts(): Map<string, number> {
  const reported = new Map<string, number>()
  unsubscribe = storedRecords.on(({ model, count }) =>
    reported.set(model, (reported.get(model) ?? 0) + count),
  )
  return reported
}

/** Returns a database whose first transaction that writes a table fails. */
function failFirstWrite({ db }: WorkerDeps, table: string): WorkerDeps['db'] {
  let hasFailed = false
  const transaction: typeof db.transaction = (work, again) =>
    db.transaction(async (tx) => {
      let writesTable = false
      const stop = db.onStatement((sql) => (writesTable ||= sql.includes(`INTO \`${table}\``)))
      const result = await work(tx).finally(stop)
      if (!writesTable || hasFailed) return result
      hasFailed = true
      throw new Error('the commit failed')
    }, again)
  return { ...db, transaction }
}

test.each(stores)('a page whose first commit fails counts once, on %s', async (store) => {
  await using harness = await SyncHarness.start(store)
  const reported = counts()
  const { id } = await harness.request()
  const tools = { ...harness.tools, db: failFirstWrite(harness.tools, 'vehicles') }
  const attempt = (count: number) =>
    syncConnection(tools, id, { id: `job-${count}`, attempt: count, signal: new AbortController().signal })
  await expect(attempt(1)).rejects.toThrow('the commit failed')
  await attempt(2)
  expect(reported.get('Vehicle')).toBe(await harness.count('`vehicles`'))
})

test('records that the filters of a connection leave out do not count', async () => {
  await using harness = await SyncHarness.start('sqlite')
  await harness.sync()
  const [one] = await harness.db.rows<{ id: string }>('SELECT `id` FROM `vehicles` LIMIT 1')
  const filters = JSON.stringify({ vehicles: { includeIds: [one?.id] } })
  await harness.db.transaction(async (tx) => {
    await tx.run('UPDATE `connections` SET `filters` = ?', [filters])
    await tx.run('DELETE FROM `checkpoints`')
    await tx.run('DELETE FROM `vehicle_locations`')
  })
  const reported = counts()
  await harness.sync()
  expect(reported.get('VehicleLocation')).toBeGreaterThan(0)
  expect(reported.get('VehicleLocation')).toBe(await harness.count('`vehicle_locations`'))
})

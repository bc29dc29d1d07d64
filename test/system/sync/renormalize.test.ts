import { describe, expect, onTestFinished, test } from 'vitest'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import type { Database } from '../../../src/storage/database.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { MAX_QUARANTINED, quarantineRecords } from '../../../src/sync/quarantine/quarantine-records.ts'
import { purgeQuarantine } from '../../../src/sync/quarantine/purge-quarantine.ts'
import { remap } from '../../../src/sync/remap/remap.ts'
import type { RemapResult } from '../../../src/sync/remap/remap-counts.ts'
import { providerCalls } from '../../../src/platform/instrumentation.ts'
import { runInProcess } from '../../support/harnesses/cli-harness.ts'
import { stores } from '../../support/database/stores.ts'
import { mistaken, type Mistake } from '../../support/sync/mistaken-mapping.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const DAY_MS = 86_400_000
const LONG = 180_000
/** A working day: at night and on Sundays hardly a vehicle of the sandbox drives. */
const STARTS_AT = Date.UTC(2026, 5, 10, 20)

/** The correct mapping of the provider, which is down. */
const mended = sandboxAdapter('http://127.0.0.1:9')

interface Stage {
  readonly harness: SyncHarness
  readonly mistake: Mistake
}

/** Returns a fleet that was synced with a faulty mapping and no longer changes. */
async function synced(store: (typeof stores)[number], vehicles = 5): Promise<Stage> {
  const mistake: Mistake = { isMended: false, hidden: [] }
  const harness = await SyncHarness.start(store, {
    vehicles,
    startsAt: STARTS_AT,
    wrapped: (adapter) => mistaken(adapter, mistake),
  })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  await harness.control('clock', { stands: true })
  await harness.sync()
  await harness.poll()
  return { harness, mistake }
}

interface RemapInput {
  readonly models?: readonly RawRetainedModel[]
  readonly dryRun?: boolean
  readonly db?: Database
}

async function renormalized({ harness }: Stage, { db = harness.db, ...input }: RemapInput = {}) {
  const connection = (await findById(harness.db, Connection, harness.connectionId))!
  const tools = { ...harness.tools, db }
  const done: RemapResult[] = []
  for await (const counts of remap(tools, { connection, adapter: mended, ...input })) done.push(counts)
  return Object.fromEntries(done.map(({ model, ...counts }) => [model, counts])) as Record<
    RawRetainedModel,
    Omit<RemapResult, 'model'>
  >
}

/** Returns all values except write times, and addresses: polls read more of them than syncs. */
async function valuesIn({ harness }: Stage) {
  const tables = ['vehicles', 'drivers', 'trips', 'safety_events', 'vehicle_locations', 'vehicle_stat_logs']
  const found: Record<string, string[]> = {}
  for (const table of [...tables, 'latest_vehicle_locations']) {
    const rows = await harness.db.rows<Record<string, unknown>>(`SELECT * FROM \`${table}\``)
    found[table] = rows
      .map(({ modifiedAt: _, addedAt: __, seenIn: ___, addressText: ____, ...row }) => JSON.stringify(row))
      .toSorted()
  }
  return found
}

const rawsIn = ({ harness }: Stage) =>
  harness.db.rows('SELECT * FROM `raw_records` ORDER BY `ownerId`') as Promise<object[]>

function countedCalls(): { count: number } {
  const calls = { count: 0 }
  onTestFinished(
    providerCalls.use((_work, done) => {
      calls.count++
      return done()
    }),
  )
  return calls
}

const more = (after: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(after).flatMap(([type, count]) => {
      const added = count - (before[type] ?? 0)
      return added === 0 ? [] : [[type, added]]
    }),
  )

describe.each(stores)('renormalization of raw data on %s', (store) => {
  test(
    'gives the result of a sync with the corrected mapping, without a provider request',
    { timeout: LONG },
    async () => {
      const stage = await synced(store)
      const { harness, mistake } = stage
      const [wrong, raws, events] = [await valuesIn(stage), await rawsIn(stage), await harness.events()]
      const leftOut = await harness.count('`left_out_records`')
      const oddDrivers = await harness.count("`left_out_records` WHERE `model` = 'Driver'")
      expect(oddDrivers).toBeGreaterThan(0)
      const calls = countedCalls()

      const looked = await renormalized(stage, { dryRun: true })
      expect(await valuesIn(stage)).toEqual(wrong)
      expect(await harness.events()).toEqual(events)
      const done = await renormalized(stage)
      expect(done).toEqual(looked)
      expect(calls.count).toBe(0)
      const unreadable = Object.values(done).reduce((sum, { unreadable: some }) => sum + some, 0)
      expect(await harness.count('`left_out_records`')).toBe(unreadable)
      expect(leftOut).toBeGreaterThan(unreadable)

      const right = await valuesIn(stage)
      const tanks = await harness.count('`vehicles` WHERE `fuelTankCapacity` IS NOT NULL')
      expect(done.Vehicle).toEqual({ read: 5, changed: tanks, unreadable: 0, moved: 0 })
      // At some hours the fleet has no safety event.
      const expected = {
        'vehicle.modified': tanks,
        'driver.added': oddDrivers,
        'safety.modified': done.SafetyEvent?.changed ?? 0,
      }
      expect(more(await harness.events(), events)).toEqual(more(expected, {}))
      // Raw data stay unchanged; those of skipped records are added.
      expect(await rawsIn(stage)).toEqual(expect.arrayContaining(raws))
      await expectGallonsToBeLiters(harness)

      const again = await renormalized(stage)
      expect(Object.values(again).map(({ changed }) => changed)).toEqual(Object.keys(again).map(() => 0))
      mistake.isMended = true
      const reported = await harness.events()
      await harness.sync()
      await harness.poll()
      expect(calls.count).toBeGreaterThan(0)
      expect(await valuesIn(stage)).toEqual(right)
      // Records that are readable now are the exception: the sync sees them first.
      expect(
        Object.keys(more(await harness.events(), reported)).filter((type) => !type.startsWith('sync.')),
      ).toEqual(['issue.resolved'])
    },
  )

  test('writes nothing if nothing has changed', { timeout: LONG }, async () => {
    const harness = await synced(store, 3)
    const written: string[] = []
    onTestFinished(harness.harness.db.onStatement((sql) => /^\s*SELECT/i.test(sql) || written.push(sql)))
    await renormalized(harness)
    expect(written.splice(0)).not.toEqual([])
    await renormalized(harness)
    expect(written).toEqual([])
  })

  test('resumes after an interruption', { timeout: LONG }, async () => {
    const harness = await synced(store, 3)
    const connection = (await findById(harness.harness.db, Connection, harness.harness.connectionId))!
    let stopped = ''
    for await (const { model } of remap(harness.harness.tools, { connection, adapter: mended })) {
      stopped = model
      if (model === 'Vehicle') break
    }
    expect(stopped).toBe('Vehicle')
    const { Vehicle, Trip } = await renormalized(harness)
    expect([Vehicle.changed, Trip.changed > 0]).toEqual([0, true])
  })

  test('covers only the named models', { timeout: LONG }, async () => {
    const harness = await synced(store, 3)
    const { vehicles } = await valuesIn(harness)
    expect(Object.keys(await renormalized(harness, { models: ['Trip'] }))).toEqual(['Trip'])
    expect((await valuesIn(harness)).vehicles).toEqual(vehicles)
  })

  test('does not overwrite newer data of a concurrent sync', { timeout: LONG }, async () => {
    const stage = await synced(store, 3)
    const { harness } = stage
    await harness.control('records', { vehicles: { modify: [0] } })
    let syncs = 0
    const overtaken: Database = {
      ...harness.db,
      async transaction(...args) {
        if (syncs++ === 0) await harness.sync()
        return harness.db.transaction(...args)
      },
    }
    await renormalized(stage, { models: ['Vehicle'], db: overtaken })
    const rows = await harness.db.rows<{ name: string; data: string }>(
      'SELECT v.`name`, r.`data` FROM `vehicles` AS v JOIN `raw_records` AS r ON r.`ownerId` = v.`id`',
    )
    const reported = rows.map(({ data }) => (JSON.parse(data) as { name: string }).name)
    expect(reported.filter((name) => name.endsWith('(renamed)'))).toHaveLength(1)
    expect(rows.map(({ name }) => name)).toEqual(reported)
    await expectGallonsToBeLiters(harness)
  })

  test('does not overwrite a record that was skipped once and read since', { timeout: LONG }, async () => {
    const stage = await synced(store, 3)
    const { harness, mistake } = stage
    const trips = await harness.count("`left_out_records` WHERE `model` = 'Trip'")
    expect(trips).toBeGreaterThan(0)
    mistake.isMended = true
    await harness.sync()
    expect(await harness.count("`left_out_records` WHERE `model` = 'Driver'")).toBe(0)
    expect(await harness.count("`left_out_records` WHERE `model` = 'Trip'")).toBe(trips)
    // The provider corrected it before it was read.
    await changeLeftOut(harness, (trip) => ({ ...trip, distanceMiles: 999 }))
    const { trips: rows } = await valuesIn(stage)
    const { Trip } = await renormalized(stage, { models: ['Trip'] })
    expect(Trip.changed).toBe(0)
    expect((await valuesIn(stage)).trips).toEqual(rows)
    expect(await harness.count("`left_out_records` WHERE `model` = 'Trip'")).toBe(0)
  })

  test('corrects records that a list no longer has, and keeps them deleted', { timeout: LONG }, async () => {
    const stage = await synced(store, 3)
    const { harness, mistake } = stage
    mistake.hidden = ['veh-3-0']
    await harness.sync()
    const gone = async () =>
      (
        await harness.db.rows<{ deletedAt: number; modifiedAt: number }>(
          "SELECT `deletedAt`, `modifiedAt` FROM `vehicles` WHERE `sourceId` = 'veh-3-0'",
        )
      )[0]
    const before = await gone()
    expect(before?.deletedAt).not.toBeNull()
    const events = await harness.events()
    await renormalized(stage, { models: ['Vehicle'] })
    expect(await gone()).toEqual(before)
    expect(more(await harness.events(), events)['vehicle.added']).toBeUndefined()
    await expectGallonsToBeLiters(harness)
  })

  test(
    'skipped records are stored once each, within a limit and a retention period',
    { timeout: LONG },
    async () => {
      const { harness } = await synced(store, 3)
      const connection = (await findById(harness.db, Connection, harness.connectionId))!
      const met = { connection, syncId: 'sync_1', model: 'Group', schemaName: 'group' } as const
      const keep = (stamp: number, raws: readonly unknown[]) =>
        harness.db.transaction((tx) => quarantineRecords(tx, { ...met, stamp }, raws))
      const kept = () => harness.count("`left_out_records` WHERE `model` = 'Group'")
      const now = harness.tools.clock.now()
      await keep(now, [null, { id: 'x'.repeat(70_000) }, { id: 1 }, { id: 1 }])
      expect(await kept()).toBe(1)
      await keep(
        now + 1,
        Array.from({ length: MAX_QUARANTINED + 500 }, (_, id) => ({ id })),
      )
      expect(await kept()).toBe(MAX_QUARANTINED)
      await keep(now + DAY_MS, [{ id: 1 }, { id: 'one more' }])
      expect(await kept()).toBe(MAX_QUARANTINED)
      const forgotten = (days: number, retentionDays?: number) => {
        const clock = { now: () => now + days * DAY_MS }
        return purgeQuarantine({ db: harness.db, clock, retentionDays }, new AbortController().signal)
      }
      await forgotten(89)
      expect(await kept()).toBe(MAX_QUARANTINED)
      await forgotten(90.5)
      expect(await kept()).toBe(1)
      await forgotten(9, 7)
      expect(await kept()).toBe(0)
    },
  )

  test(
    'runs as a command, which reports its result and writes an audit entry',
    { timeout: LONG },
    async () => {
      const stage = await synced(store, 3)
      const { harness } = stage
      const environment = {
        ...harness.home.environment,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      }
      const cli = (...args: string[]) => runInProcess(harness.home, environment, args)
      const acts = () =>
        harness.db.rows<{ applicationId: string; targetId: string; detail: string }>(
          "SELECT * FROM `audit_log` WHERE `action` = 'connection.renormalized'",
        )
      const calls = countedCalls()
      const command = ['connections', 'renormalize']
      const dry = await cli(...command, harness.connectionId, '--dry-run')
      expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/^CONNECTION +MODEL +READ +CHANGED/) })
      expect(dry.error).toMatch(/^[\d,]+ records read, [\d,]+ would change, \d+ still cannot be read\n$/m)
      expect(await acts()).toEqual([])

      const trips = await cli(
        '--json',
        ...command,
        harness.connectionId,
        '--model',
        'Trip',
        '--model',
        'Vehicle',
      )
      expect(JSON.parse(trips.out)).toMatchObject([
        { connection: harness.connectionId, model: 'Vehicle', read: 3, unreadable: 0 },
        { connection: harness.connectionId, model: 'Trip', unreadable: 0 },
      ])
      const all = await cli(...command, '--all', '--provider', 'sandbox')
      expect(all.error).toMatch(/^[\d,]+ records read, [\d,]+ changed, \d+ still cannot be read\n$/m)
      expect((await cli(...command, '--all', '--provider', 'samsara')).error).toContain('0 records read')
      expect(calls.count).toBe(0)
      await expectGallonsToBeLiters(harness)

      const [first, second, ...others] = await acts()
      expect(others).toEqual([])
      expect(first?.targetId).toBe(harness.connectionId)
      expect(first?.applicationId).toMatch(/^app_/)
      expect(JSON.parse(first?.detail ?? '')).toMatchObject({ models: ['Trip', 'Vehicle'], outcome: 'done' })
      expect(JSON.parse(second?.detail ?? '')).toMatchObject({ models: 'all', read: expect.any(Number) })

      for (const [wrong, code] of [
        [[], 2],
        [[harness.connectionId, '--all'], 2],
        [[harness.connectionId, '--model', 'CameraMedia'], 2],
        [[harness.connectionId, '--application', 'app_01M7XZ3JF90H8EC8HYVB2R0P6F'], 1],
        [['conn_01M7XZ3JF90H8EC8HYVB2R0P6F'], 1],
      ] as const)
        expect([wrong, (await cli(...command, ...wrong)).code]).toEqual([wrong, code])
      expect(await acts()).toHaveLength(2)
    },
  )

  test('skips connections in deletion', { timeout: LONG }, async () => {
    const harness = await synced(store, 3)
    await harness.harness.db.transaction((tx) => tx.run("UPDATE `connections` SET `status` = 'deleting'"))
    await expect(renormalized(harness)).rejects.toThrow('is being deleted')
  })
})

/** Changes the stored skipped records. */
async function changeLeftOut(harness: SyncHarness, change: (record: object) => object): Promise<void> {
  const kept = await harness.db.rows<{ hash: string; data: string }>(
    'SELECT `hash`, `data` FROM `left_out_records`',
  )
  await harness.db.transaction(async (tx) => {
    for (const { hash, data } of kept) {
      const changed = JSON.stringify(change(JSON.parse(data) as object))
      await tx.run('UPDATE `left_out_records` SET `data` = ? WHERE `hash` = ?', [changed, hash])
    }
  })
}

/** Compares with the provider's values, in its units. */
async function expectGallonsToBeLiters(harness: SyncHarness): Promise<void> {
  const rows = await harness.db.rows<{ fuelTankCapacity: number | null; data: string }>(
    'SELECT v.`fuelTankCapacity`, r.`data` FROM `vehicles` AS v JOIN `raw_records` AS r ON r.`ownerId` = v.`id`',
  )
  const liters = rows.map(({ data }) => {
    const { fuelTankGallons } = JSON.parse(data) as { fuelTankGallons: number | null }
    return fuelTankGallons === null ? null : Math.round(fuelTankGallons * 37.854_117_84) / 10
  })
  expect(liters.filter((value) => value !== null).length).toBeGreaterThan(0)
  expect(rows.map(({ fuelTankCapacity }) => fuelTankCapacity)).toEqual(liters)
}

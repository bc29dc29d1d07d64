import { describe, expect, test, vi } from 'vitest'
import { derivedId } from '../../../src/domain/ids.ts'
import { latestModels } from '../../../src/domain/record-models.ts'
import type { NormalizedTrip } from '../../../src/domain/models/trip.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import { stores } from '../../support/database/stores.ts'
import { eventually, SyncHarness } from '../../support/sync/sync-harness.ts'

/** Tables without changes in the fake. Devices have a new connection time in every sync. */
const UNCHANGED_TABLES = ['groups', 'drivers', 'vehicles', 'trips', 'safety_events']

const RECORD_TABLES =
  'groups drivers vehicles trailers devices trips safety_events fault_code_events hos_logs hos_daily_logs vehicle_days ifta_vehicle_months'.split(
    ' ',
  )
const SERIES_TABLES = ['vehicle_locations', 'vehicle_stat_logs']
const LATEST_TABLES = ['latest_vehicle_locations', 'latest_trailer_locations', 'hos_available_times']
/** A Wednesday afternoon in North America. The simulated fleet drives and has a record of every model. */
const WORKING_HOURS = Date.UTC(2026, 9, 14, 22)

const VEHICLE_TABLES = RECORD_TABLES.filter((table) => /trips|events|days|months/.test(table)).concat(
  SERIES_TABLES,
  'latest_vehicle_locations',
)

describe.each(stores)('a sync on %s', (store) => {
  test('stores everything once, with one event for each change and its progress', async () => {
    await using harness = await SyncHarness.start(store, { startsAt: WORKING_HOURS })
    await harness.sync()
    expect(await harness.count('`vehicles`')).toBe(12)
    expect(await harness.count('`safety_events`')).toBeGreaterThan(0)
    expect(await harness.count('`vehicle_locations`')).toBeGreaterThan(1000)
    expect(await harness.count('`trips`')).toBeGreaterThan(0)
    const events = await harness.events()
    expect(events).toMatchObject({
      'connection.created': 1,
      'connection.completed': 1,
      'connection.first_sync_completed': 1,
      'sync.requested': 1,
      'sync.started': 1,
      'sync.completed': 1,
      'vehicle.added': 12,
      'driver.added': await harness.count('`drivers`'),
      'safety.added': await harness.count('`safety_events`'),
    })
    expect(await harness.syncRow()).toMatchObject({ status: 'completed', progress: 100 })
  })

  test('stores every model, with the raw records of the provider', async () => {
    await using harness = await SyncHarness.start(store, { startsAt: WORKING_HOURS })
    await harness.sync()
    for (const model of latestModels) await harness.poll(model)
    const counts = await Promise.all(
      [...RECORD_TABLES, ...SERIES_TABLES, ...LATEST_TABLES].map(
        async (table) => [table, await harness.count(`\`${table}\``)] as const,
      ),
    )
    expect(counts.filter(([, count]) => count === 0)).toEqual([])
    const total = (tables: readonly string[]) =>
      counts.reduce((sum, [table, count]) => sum + (tables.includes(table) ? count : 0), 0)
    expect(await harness.count('`raw_records`')).toBe(total([...RECORD_TABLES, ...LATEST_TABLES]))
    expect(await harness.count('`raw_points`')).toBe(total(SERIES_TABLES))
  })

  test('stores no records of a filtered vehicle except the vehicle itself', async () => {
    await using harness = await SyncHarness.start(store, { startsAt: WORKING_HOURS })
    const [shown, hidden] = ['veh-3-1', 'veh-3-2'].map((id) => derivedId('vehicle', harness.connectionId, id))
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `filters` = ?', [
        JSON.stringify({ vehicles: { excludeIds: [hidden] } }),
      ]),
    )
    await harness.sync()
    await harness.poll()
    expect(await harness.count('`vehicles`')).toBe(12)
    const of = (id: string | undefined) =>
      Promise.all(
        VEHICLE_TABLES.map(async (table) => [
          table,
          await harness.count(`\`${table}\` WHERE \`vehicleId\` = '${id}'`),
        ]),
      )
    expect(await of(hidden)).toEqual(VEHICLE_TABLES.map((table) => [table, 0]))
    const found = Object.fromEntries(await of(shown))
    expect(found).toMatchObject({ vehicle_locations: expect.any(Number) })
    expect(Object.values(found).filter((count) => Number(count) > 0).length).toBeGreaterThan(4)
  })

  test('changes nothing and records no events without new data', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    const before = await contents(harness)
    const events = await harness.events()
    harness.moveClock(1000)
    await harness.sync()
    expect(await contents(harness)).toEqual(before)
    expect(await harness.events()).toEqual({
      ...events,
      'sync.requested': 2,
      'sync.started': 2,
      'sync.completed': 2,
    })
  })

  test('records one event for a changed record and one for a removed record', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    await harness.control('records', { vehicles: { modify: [3], remove: [5] } })
    await harness.sync()
    await harness.sync()
    expect(await harness.events()).toMatchObject({
      'vehicle.added': 12,
      'vehicle.modified': 1,
      'vehicle.removed': 1,
    })
    const [removed] = await harness.db.rows<{ deletedAt: number; modifiedAt: number }>(
      'SELECT `deletedAt`, `modifiedAt` FROM `vehicles` WHERE `deletedAt` IS NOT NULL',
    )
    expect(removed?.modifiedAt).toBe(removed?.deletedAt)
  })

  test('stamps later changes later, also when the clock goes back', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    const [{ newest = 0 } = {}] = await harness.db.rows<{ newest: number }>(
      'SELECT MAX(`modifiedAt`) AS newest FROM `vehicles`',
    )
    harness.moveClock(-60_000)
    await harness.control('records', { vehicles: { modify: [1] } })
    await harness.sync()
    expect(await harness.count(`\`vehicles\` WHERE \`modifiedAt\` > ${newest}`)).toBe(1)
  })

  test('continues after rate limits, outages and broken responses', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.control('faults', { path: '/vehicles', status: 429, count: 2, retryAfter: '0.05' })
    await harness.control('faults', { path: '/drivers', status: 503, count: 2, retryAfter: '0' })
    await harness.control('faults', { path: '/devices', status: 0, count: 1 })
    await harness.sync()
    expect(await harness.syncRow()).toMatchObject({ status: 'completed' })
    expect(await harness.count('`vehicles`')).toBe(12)
    expect((await harness.events())['sync.started']).toBe(1)
  })

  test('ends as failed, with an event, during an outage of the provider', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.control('faults', { path: '/vehicles', status: 500, count: 1000, retryAfter: '0' })
    await expect(harness.sync()).rejects.toThrow('500')
    expect(await harness.syncRow()).toMatchObject({
      status: 'failed',
      failureReason: 'the provider answered 500',
    })
    expect(await harness.events()).toMatchObject({ 'sync.failed': 1 })
    expect(await harness.count('`groups`')).toBeGreaterThan(0)
  })

  test.each([
    ['an outage', () => new ProviderError('unavailable', 'always down'), 'always down'],
    ['a rate limit', () => new ProviderError('limited', 'always limited'), 'always limited'],
    [
      'an error of the reader',
      () => new TypeError('a mistake'),
      'Internal error. See the log of the service.',
    ],
  ])('reads the record types after one that always fails with %s', async (_name, errorOf, failureReason) => {
    const adapted = (adapter: ProviderAdapter): ProviderAdapter => ({
      ...adapter,
      readers: { ...adapter.readers, Trip: { ...(adapter.readers.Trip as Reader<NormalizedTrip>), read } },
    })
    const read = () => Promise.reject(errorOf())
    await using harness = await SyncHarness.start(store, {
      vehicles: 3,
      startsAt: WORKING_HOURS,
      wrapped: adapted,
    })
    await expect(harness.sync()).rejects.toThrow(errorOf().message)
    expect(await harness.syncRow()).toMatchObject({ status: 'failed', failureReason })
    expect(await harness.count('`trips`')).toBe(0)
    for (const table of ['hos_logs', 'vehicle_days', 'vehicle_locations', 'vehicle_stat_logs'])
      expect([table, await harness.count(`\`${table}\``)]).not.toEqual([table, 0])
  })

  test('logs the errors of the record types after the first one that fails', async () => {
    const failing = (name: string) => ({ read: () => Promise.reject(new TypeError(name)) })
    const adapted = ({ readers, ...adapter }: ProviderAdapter): ProviderAdapter => ({
      ...adapter,
      readers: {
        ...readers,
        Trip: { ...readers.Trip!, ...failing('trips') },
        HOSLog: { ...readers.HOSLog!, ...failing('logs') },
      },
    })
    await using harness = await SyncHarness.start(store, { vehicles: 3, wrapped: adapted })
    using logged = vi.spyOn(harness.tools.log, 'warn')
    const sync = await harness.request()
    await expect(harness.run(sync.id)).rejects.toThrow('trips')
    const err = expect.objectContaining({ message: 'logs' })
    expect(logged.mock.calls).toEqual([
      [{ err, model: 'HOSLog', syncId: sync.id }, 'record type could not be read'],
    ])
  })

  test('disconnects the connection, once, when its credentials are no longer accepted', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.control('faults', { path: '/drivers', status: 401, count: 1 })
    await harness.sync()
    expect(await harness.syncRow()).toMatchObject({ status: 'failed' })
    expect(await harness.events()).toMatchObject({ 'connection.disconnected': 1, 'sync.failed': 1 })
    expect(await harness.count("`connections` WHERE `status` = 'disconnected'")).toBe(1)
    await expect(harness.request()).rejects.toThrow('disconnected')
  })

  test('runs once at a time for a connection, in only one worker', async () => {
    await using harness = await SyncHarness.start(store)
    const sync = await harness.request()
    await expect(harness.request()).rejects.toMatchObject({ code: 'conflict', detail: sync.id })
    await Promise.all([harness.run(sync.id), harness.run(sync.id), harness.run(sync.id)])
    expect(await harness.events()).toMatchObject({
      'sync.started': 1,
      'sync.completed': 1,
      'vehicle.added': 12,
    })
  })

  test('stops on its signal, and continues there in the next worker', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.control('faults', { path: '/vehicles', stallMs: 3000, count: 1 })
    const sync = await harness.request()
    const stop = new AbortController()
    const stopped = harness.run(sync.id, stop.signal)
    await eventually(async () => (await harness.count('`drivers`')) > 0)
    stop.abort()
    await expect(stopped).rejects.toThrow()
    expect(await harness.count('`vehicles`')).toBe(0)
    await harness.run(sync.id)
    expect(await harness.events()).toMatchObject({
      'sync.started': 1,
      'sync.completed': 1,
      'vehicle.added': 12,
    })
  })

  test('writes nothing after its worker has lost the lease', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.control('faults', { path: '/vehicles', stallMs: 3000, count: 1 })
    const sync = await harness.request()
    const staleRun = harness.run(sync.id)
    await eventually(async () => (await harness.count('`drivers`')) > 0)
    await harness.db.transaction((tx) => tx.run("UPDATE `syncs` SET `leaseOwner` = 'another'"))
    await staleRun
    expect(await harness.count('`vehicles`')).toBe(0)
    expect(await harness.syncRow()).toMatchObject({ status: 'in_progress' })
  })

  test('keeps no credentials and no token in readable form', async () => {
    await using harness = await SyncHarness.start(store)
    const rows = await harness.db.rows('SELECT * FROM `connections`')
    expect(JSON.stringify(rows)).not.toContain(harness.key)
    expect(JSON.stringify(rows)).not.toContain('con_tkn_')
  })
})

describe.each(stores)('polling for locations on %s', (store) => {
  test('stores the latest locations and extends the tracks', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.poll()
    const vehicles = await harness.count('`latest_vehicle_locations`')
    expect(vehicles).toBeGreaterThan(10)
    expect(await harness.count('`vehicle_locations`')).toBe(vehicles)
    await harness.control('clock', { offsetMs: 60_000 })
    await harness.poll()
    expect(await harness.count('`latest_vehicle_locations`')).toBe(vehicles)
    expect(await harness.count('`vehicle_locations`')).toBeGreaterThan(vehicles)
  })
})

describe.each(stores)('the event log on %s', (store) => {
  test('has a position for every event, without gaps, in the order of the connection', async () => {
    await using harness = await SyncHarness.start(store)
    await harness.sync()
    await Promise.all([harness.dispatch(), harness.dispatch()])
    const rows = await harness.db.rows<{ position: number; sequence: number }>(
      'SELECT `position`, `sequence` FROM `events` ORDER BY `position`',
    )
    expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index + 1))
    expect(rows.map(({ sequence }) => sequence)).toEqual(
      rows.map(({ sequence }) => sequence).sort((a, b) => a - b),
    )
  })
})

async function contents(harness: SyncHarness): Promise<unknown> {
  const tables = await Promise.all(
    UNCHANGED_TABLES.map((table) =>
      harness.db.rows<Record<string, unknown>>(`SELECT * FROM \`${table}\` ORDER BY \`id\``),
    ),
  )
  return tables.map((rows) => rows.map(({ seenIn: _, ...row }) => row))
}

import { describe, expect, test } from 'vitest'
import type { NormalizedLatestLocation } from '../../../src/domain/models/vehicle-location.ts'
import type { Reader } from '../../../src/providers/provider.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { Sync } from '../../../src/subgraphs/connections/syncs/sync.ts'
import { remap } from '../../../src/sync/remap/remap.ts'
import {
  type FilteredKind,
  filteredKinds,
  type RecordFilter,
} from '../../../src/subgraphs/tables/filtered-connection.ts'
import { reconcile } from '../../../src/sync/schedule/reconcile.ts'
import { Random } from '../../fuzz/random.ts'
import { stores } from '../../support/database/stores.ts'
import { updateConnection } from '../../../src/subgraphs/connections/update-connection.ts'
import { callerOf } from '../../support/factories.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { DailyRecords } from '../../support/sync/daily-records.ts'
import { FilteredFleet } from '../../support/sync/filtered-fleet.ts'
import { readList, RecordMirror } from '../../support/sync/record-mirror.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const MINUTE_MS = 60_000
const STEPS = 40
const names = { vehicles: 'name', drivers: 'name: firstName' } as const
const events = {
  vehicles: { type: 'vehicle.modified', member: 'vehicle' },
  drivers: { type: 'driver.modified', member: 'driver' },
} as const

const everyList = documentOf(`{
  vehicles { nodes { id } } drivers { nodes { id } }
  trips(first: 100) { nodes { vehicle { id } driver { id } } }
  faultCodeEvents(first: 100) { nodes { vehicle { id } } }
  hosLogs(first: 100) { nodes { driver { id } vehicle { id } } }
}`)

interface EventRecord {
  readonly id: string
  readonly name?: string
  readonly firstName?: string
  readonly metadata: { readonly visibility: string }
}

/** Expects that a copy of the events has the visible records. */
async function expectEvents(
  { db }: SyncHarness,
  kind: FilteredKind,
  visible: readonly { readonly id: string; readonly name?: unknown }[],
): Promise<void> {
  const { member } = events[kind]
  const rows = await db.rows<{ detail: string }>(
    'SELECT `detail` FROM `events` WHERE `type` LIKE ? ORDER BY `sequence`',
    [`${member}.%`],
  )
  const copy = new Map<string, EventRecord>()
  for (const { detail } of rows) {
    const record: EventRecord = JSON.parse(detail)[member]
    copy.set(record.id, record)
  }
  const shown = [...copy.values()].filter(({ metadata }) => metadata.visibility === 'visible')
  expect(new Map(shown.map(({ id, name, firstName }) => [id, name ?? firstName]))).toEqual(
    new Map(visible.map(({ id, name }) => [id, name])),
  )
}

/** Runs a sync to its end. A loosened filter takes it from its worker, so that it starts again. */
async function syncToEnd(harness: SyncHarness): Promise<void> {
  const { id } = await harness.request()
  for (let status = 'requested'; status === 'requested' || status === 'in_progress';) {
    await harness.run(id)
    status = (await findById(harness.db, Sync, id))!.status
  }
}

describe.each(stores)('changed filters on %s', (store) => {
  describe.each(filteredKinds)('of %s', (kind) => {
    test('stamp the records that become visible or hidden, each with an event', async () => {
      await using fleet = await FilteredFleet.start(store, 3)
      const { harness } = fleet
      await harness.sync()
      const [shown, hidden] = ['0', '1'].map((sourceId) => fleet.idOf(kind, sourceId)) as [string, string]
      const modified = async () => {
        const rows = await harness.db.rows<{ id: string; modifiedAt: number }>(
          `SELECT \`id\`, \`modifiedAt\` FROM \`${kind}\``,
        )
        return new Map(rows.map(({ id, modifiedAt }) => [id, Number(modifiedAt)]))
      }
      const steps = [await modified()]
      for (const filters of [{ [kind]: { excludeIds: [hidden] } }, null]) {
        harness.moveClock(MINUTE_MS)
        await fleet.changeFilters(filters)
        await fleet.stamp()
        steps.push(await modified())
      }
      const stampsOf = (id: string) => steps.map((stamps) => stamps.get(id)!)
      expect(new Set(stampsOf(shown)).size).toBe(1)
      expect(new Set(stampsOf(hidden)).size).toBe(3)
      expect(stampsOf(hidden)).toEqual(stampsOf(hidden).toSorted((one, other) => one - other))

      const { type, member } = events[kind]
      const rows = await harness.db.rows<{ detail: string }>(
        'SELECT `detail` FROM `events` WHERE `type` = ? ORDER BY `sequence`',
        [type],
      )
      const records = rows.map(({ detail }) => JSON.parse(detail)[member])
      expect(records.map(({ id, metadata }) => [id, metadata.visibility])).toEqual([
        [hidden, 'hidden_by_exclude_list'],
        [hidden, 'visible'],
      ])
      expect(await harness.count('`filter_changes`')).toBe(0)
    })

    test('leave events out while a record is hidden', async () => {
      await using fleet = await FilteredFleet.start(store, 2)
      const { harness } = fleet
      const { member } = events[kind]
      let known = 0
      const newEvents = async () => {
        const rows = await harness.db.rows<{ type: string; detail: string }>(
          'SELECT `type`, `detail` FROM `events` WHERE `type` LIKE ? ORDER BY `sequence`',
          [`${member}.%`],
        )
        const added = rows.slice(known)
        known = rows.length
        return added.map(({ type, detail }) => [type, JSON.parse(detail)[member].metadata.visibility])
      }
      const listAs = async (sourceId: string, status: 'active' | 'inactive', name: string) => {
        harness.moveClock(MINUTE_MS)
        fleet.listed[kind].set(sourceId, { status, name })
        await harness.sync()
        return newEvents()
      }
      await harness.sync()
      expect(await newEvents()).toHaveLength(2)
      const excludeIds = ['0', '2'].map((sourceId) => fleet.idOf(kind, sourceId))
      await fleet.changeFilters({ [kind]: { status: 'active', excludeIds } })
      await fleet.stamp()
      expect(await newEvents()).toEqual([[`${member}.modified`, 'hidden_by_exclude_list']])

      expect(await listAs('0', 'active', 'renamed while it is excluded')).toEqual([])
      expect(await listAs('2', 'active', 'new, and excluded')).toEqual([])
      expect(await listAs('3', 'inactive', 'new, with the wrong status')).toEqual([])
      expect(await listAs('1', 'inactive', 'hidden by its status')).toEqual([
        [`${member}.modified`, 'hidden_by_status'],
      ])
      expect(await listAs('1', 'inactive', 'renamed while it is hidden')).toEqual([])
      expect(await listAs('1', 'active', 'visible again')).toEqual([[`${member}.modified`, 'visible']])
      expect(await listAs('3', 'active', 'visible for the first time')).toEqual([
        [`${member}.modified`, 'visible'],
      ])
    })

    test('bring a reader by `modifiedAfter` to the list of a full read', { timeout: 60_000 }, async () => {
      await using fleet = await FilteredFleet.start(store, 12)
      const { harness } = fleet
      const random = new Random(kind.length)
      const contextFor = contextsOver(harness.db)
      const client = await harness.client()
      const list = { field: kind, selection: names[kind] }
      const wholeList = { ...list, selection: `${names[kind]} metadata { visibility }`, args: 'hidden: true' }
      const [ofShown, ofAll] = [list, wholeList].map((of) => new RecordMirror(contextFor, client, of)) as [
        RecordMirror,
        RecordMirror,
      ]

      const sourceIds = [...fleet.listed[kind].keys()]
      const ids = (probability: number) =>
        random.some(sourceIds, probability).map((sourceId) => fleet.idOf(kind, sourceId))
      const anyFilter = (): RecordFilter => ({
        ...(random.chance(0.4) ? { status: random.pick(['active', 'inactive'] as const) } : {}),
        ...(random.chance(0.3) ? { includeIds: ids(0.5) } : {}),
        ...(random.chance(0.5) ? { excludeIds: ids(0.4) } : {}),
      })
      const edit = () => {
        for (const sourceId of random.some(sourceIds, 0.15))
          fleet.listed[kind].set(sourceId, {
            status: random.pick(['active', 'inactive'] as const),
            name: `edited ${random.below(1000)}`,
          })
      }
      const steps = [
        () => fleet.changeFilters(random.chance(0.2) ? null : { [kind]: anyFilter() }),
        () => fleet.stamp(),
        async () => {
          edit()
          await harness.sync()
        },
        () => ofShown.catchUp(),
        () => ofAll.catchUp(),
      ]
      await harness.sync()
      for (let step = 0; step < STEPS; step++) {
        harness.moveClock(MINUTE_MS)
        for (const act of random.some(steps, 0.5)) await act()
        if (step % 4 > 0) continue
        await fleet.stamp()
        await ofShown.catchUp()
        await ofAll.catchUp()
        expect(bySourceId([...ofAll.copy.values()])).toEqual(
          bySourceId(await readList(contextFor, client, wholeList)),
        )
        // A reader without `hidden: true` is not told what is hidden, but has all that is visible.
        const visible = await readList(contextFor, client, list)
        expect(visible.map(({ id }) => ofShown.copy.get(id))).toEqual(visible)
        await expectEvents(harness, kind, visible)
      }
    })
  })

  test('hide at once while a sync is running', { timeout: 60_000 }, async () => {
    const sourceIds = ['0', '1', '2', '3', '4', '5']
    const days = new DailyRecords(sourceIds)
    await using fleet = await FilteredFleet.start(store, sourceIds.length, { readers: days.readers })
    const { harness } = fleet
    const random = new Random(7)
    const client = await harness.client()
    const changeAndRead = async () => {
      const [vehicles, drivers] = filteredKinds.map((kind) =>
        random.some(sourceIds, 0.4).map((sourceId) => fleet.idOf(kind, sourceId)),
      )
      await fleet.changeFilters({ vehicles: { excludeIds: vehicles! }, drivers: { excludeIds: drivers! } })
      const { data, errors } = await ask(createInProcessExecutor(supergraph), contextsOver(harness.db), {
        client,
        document: everyList,
      })
      expect(errors).toBeUndefined()
      const text = JSON.stringify(data)
      for (const id of [...vehicles!, ...drivers!]) expect(text).not.toContain(id)
    }
    for (let day = 0; day < 4; day++) {
      let onChange = () => {}
      // The sync waits for the first change, so that at least one happens while it runs.
      const firstChange = new Promise<void>((resolve) => (onChange = resolve))
      days.onPage = () => firstChange
      harness.moveClock(24 * 60 * MINUTE_MS)
      let isRunning = true
      const syncing = syncToEnd(harness).finally(() => void (isRunning = false))
      const changing = async () => {
        for (let change = 0; isRunning && change < 10; change++) {
          await changeAndRead().finally(onChange)
        }
      }
      await Promise.all([syncing, changing()])
    }
    await fleet.changeFilters(null)
    const { data } = await ask(createInProcessExecutor(supergraph), contextsOver(harness.db), {
      client,
      document: everyList,
    })
    const text = JSON.stringify(data)
    for (const kind of filteredKinds)
      for (const sourceId of sourceIds) expect(text).toContain(fleet.idOf(kind, sourceId))
  })

  test('leave out the locations that a poll has read before them', async () => {
    let duringRead = () => Promise.resolve()
    await using harness = await SyncHarness.start(store, {
      vehicles: 2,
      wrapped: (adapter) => {
        const reader = adapter.latest.LatestVehicleLocation!
        const read: typeof reader.read = async (...args) => {
          const page = await reader.read(...args)
          await duringRead()
          return page
        }
        return { ...adapter, latest: { ...adapter.latest, LatestVehicleLocation: { ...reader, read } } }
      },
    })
    const stamps = async () => {
      const rows = await harness.db.rows<{ vehicleId: string; modifiedAt: number }>(
        'SELECT `vehicleId`, `modifiedAt` FROM `latest_vehicle_locations` ORDER BY `vehicleId`',
      )
      return rows.map(({ vehicleId, modifiedAt }) => [vehicleId, Number(modifiedAt)] as const)
    }
    await harness.sync()
    await harness.poll()
    const [hidden, shown] = await stamps()
    duringRead = async () => {
      const { tools, connectionId } = harness
      const filters = { vehicles: { excludeIds: [hidden![0]] } }
      await updateConnection(tools, callerOf(await harness.client()), { connectionId, filters })
    }
    harness.moveClock(60 * MINUTE_MS)
    await harness.control('clock', { offsetMs: 60 * MINUTE_MS })
    await harness.poll()
    const [hiddenAfter, shownAfter] = await stamps()
    expect(hiddenAfter).toEqual(hidden)
    expect(shownAfter![1]).toBeGreaterThan(shown![1])

    // A new mapping changes no location of a hidden vehicle either.
    const connection = (await findById(harness.db, Connection, harness.connectionId))!
    const adapter = harness.tools.registry.find('sandbox')!
    const latest = adapter.latest.LatestVehicleLocation as Reader<NormalizedLatestLocation>
    const faster: typeof latest = {
      ...latest,
      normalize: (record, asOf) => ({ ...latest.normalize(record, asOf), speedKph: 99 }),
    }
    const mapped = { ...adapter, latest: { ...adapter.latest, LatestVehicleLocation: faster } }
    harness.moveClock(MINUTE_MS)
    const models = ['LatestVehicleLocation'] as const
    for await (const counts of remap(harness.tools, { connection, adapter: mapped, models }))
      expect(counts).toMatchObject({ read: 2, changed: 1 })
    const [hiddenMapped, shownMapped] = await stamps()
    expect(hiddenMapped).toEqual(hidden)
    expect(shownMapped![1]).toBeGreaterThan(shownAfter![1])
  })

  test('leave out the removals of records of hidden vehicles', async () => {
    const removed: string[] = []
    const trips = new DailyRecords(['0', '1']).readers.Trip!
    await using fleet = await FilteredFleet.start(store, 2, {
      readers: {
        Trip: {
          mode: 'window',
          schema: 'trip',
          normalize: trips.normalize,
          read: async (...args) => {
            const page = await trips.read(...args)
            return { ...page, removed }
          },
        },
      },
    })
    const { harness } = fleet
    harness.moveClock(3 * 24 * 60 * MINUTE_MS)
    await harness.sync()
    const rows = await harness.db.rows<{ sourceId: string }>(
      'SELECT `sourceId` FROM `trips` ORDER BY `startedAt`',
    )
    const ofVehicle = (vehicle: string) =>
      rows.find(({ sourceId }) => sourceId.startsWith(`${vehicle}-`))!.sourceId
    await fleet.changeFilters({ vehicles: { excludeIds: [fleet.idOf('vehicles', '1')] } })
    removed.push(ofVehicle('0'), ofVehicle('1'))
    harness.moveClock(MINUTE_MS)
    await harness.sync()
    const details = await harness.db.rows<{ detail: string }>(
      'SELECT `detail` FROM `events` WHERE `type` = ?',
      ['trip.removed'],
    )
    expect(details.map(({ detail }) => JSON.parse(detail).trip.sourceId)).toEqual([ofVehicle('0')])
  })

  test('stamp the records of what they show again, also removed ones', async () => {
    const removed: string[] = []
    const { Trip, HOSLog } = new DailyRecords(['0', '1']).readers
    await using fleet = await FilteredFleet.start(store, 2, {
      readers: {
        HOSLog: HOSLog!,
        Trip: { ...Trip!, read: async (...args) => ({ ...(await Trip!.read(...args)), removed }) },
      },
    })
    const { harness } = fleet
    harness.moveClock(3 * 24 * 60 * MINUTE_MS)
    await harness.sync()
    const excluding = (kind: FilteredKind) => ({ excludeIds: [fleet.idOf(kind, '1')] })
    await fleet.changeFilters({ vehicles: excluding('vehicles'), drivers: excluding('drivers') })
    await fleet.stamp()
    const stampsIn = async (table: string) => {
      const rows = await harness.db.rows<{ sourceId: string; modifiedAt: number; deletedAt: number | null }>(
        `SELECT \`sourceId\`, \`modifiedAt\`, \`deletedAt\` FROM \`${table}\``,
      )
      return new Map(rows.map(({ sourceId, ...row }) => [sourceId, row]))
    }
    removed.push([...(await stampsIn('trips')).keys()].find((sourceId) => sourceId.startsWith('1-'))!)
    harness.moveClock(MINUTE_MS)
    await harness.sync()
    const before = { trips: await stampsIn('trips'), hos_logs: await stampsIn('hos_logs') }
    expect(before.trips.get(removed[0]!)!.deletedAt).not.toBeNull()

    // A driver with a later stamp than the change owns records without one.
    await fleet.changeFilters(null)
    fleet.listed.drivers.set('1', { status: 'active', name: 'renamed' })
    harness.moveClock(MINUTE_MS)
    await harness.sync()
    const events = await harness.events()
    await fleet.stamp()
    for (const table of ['trips', 'hos_logs'] as const) {
      const after = await stampsIn(table)
      for (const [sourceId, { modifiedAt }] of before[table]) {
        const isStamped = Number(after.get(sourceId)!.modifiedAt) > Number(modifiedAt)
        expect([table, sourceId, isStamped]).toEqual([table, sourceId, sourceId.startsWith('1-')])
      }
    }
    expect({ ...(await harness.events()), 'vehicle.modified': 0 }).toEqual({
      ...events,
      'vehicle.modified': 0,
    })
  })

  test('are stamped once when the job dies between its commits, runs twice or is lost', async () => {
    const count = 1100
    await using fleet = await FilteredFleet.start(store, count)
    const { harness } = fleet
    await harness.sync()
    await fleet.changeFilters({ vehicles: { status: 'inactive' } })
    await fleet.stamp()
    const before = (await harness.events())['vehicle.modified']
    expect(before).toBe(count)

    await fleet.changeFilters(null)
    const killed = new AbortController()
    const stop = harness.db.onStatement((sql) => {
      if (sql.startsWith('UPDATE `vehicles` SET `modifiedAt`')) killed.abort()
    })
    await expect(fleet.stamp(killed.signal)).rejects.toThrow()
    stop()
    expect((await harness.events())['vehicle.modified']).toBe(count + 500)
    expect(await harness.count('`filter_changes`')).toBe(1)

    await reconcile(harness.tools, { syncMs: MINUTE_MS, pollMs: MINUTE_MS })
    expect(await harness.tools.queue.hasJob('stamp-visibility', harness.connectionId)).toBe(true)
    await Promise.all([fleet.stamp(), fleet.stamp()])
    expect((await harness.events())['vehicle.modified']).toBe(2 * count)
    expect(await harness.count('`filter_changes`')).toBe(0)
  })

  test('cost the change itself no statement for each record', async () => {
    const statementsFor = async (count: number) => {
      await using fleet = await FilteredFleet.start(store, count)
      await fleet.harness.sync()
      const statements: string[] = []
      const stop = fleet.harness.db.onStatement((sql) => statements.push(sql))
      await fleet.changeFilters({ vehicles: { status: 'inactive' } })
      stop()
      return statements.length
    }
    expect(await statementsFor(200)).toBe(await statementsFor(2))
  })
})

const bySourceId = <Record extends { readonly sourceId: string }>(records: readonly Record[]): Record[] =>
  records.toSorted((one, other) => (one.sourceId < other.sourceId ? -1 : 1))

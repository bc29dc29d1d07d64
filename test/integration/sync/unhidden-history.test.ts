import { describe, expect, test } from 'vitest'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import { type ConnectionFilters, filteredKinds } from '../../../src/subgraphs/tables/filtered-connection.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { DailyRecords } from '../../support/sync/daily-records.ts'
import { FilteredFleet } from '../../support/sync/filtered-fleet.ts'

const DAY_MS = 86_400_000
const STEP_DAYS = 6
/** More than every lookback: 15 days of positions, and 62 days of the computation of IFTA data. */
const STEPS = 13
const STARTS_AT = Date.UTC(2026, 5, 1, 12)
const SOURCE_IDS = ['0', '1']

const tables = {
  trips: '`sourceId`, `startedAt`, `deletedAt`',
  hos_logs: '`sourceId`, `startedAt`, `deletedAt`',
  fault_code_events: '`sourceId`, `observedAt`, `deletedAt`',
  vehicle_locations: '`locatedAt`, `longitude`',
  ifta_vehicle_months: '`sourceId`, `month`, `jurisdiction`, `distance`, `deletedAt`',
} as const

type Table = keyof typeof tables

describe.each(stores)('records of the time in which their vehicle or driver was hidden, on %s', (store) => {
  test('are stored by the sync after a loosened filter, and change nothing else', async () => {
    await using control = await Tracked.start(store)
    await using fleet = await Tracked.start(store)
    await Promise.all([control, fleet].map((each) => each.syncAfter(0)))
    await fleet.hideOne()
    for (let step = 1; step <= STEPS; step++)
      await Promise.all([control, fleet].map((each) => each.syncAfter(STEP_DAYS)))
    const stored = await fleet.stamps()
    expect(await fleet.contents()).not.toEqual(await control.contents())

    await fleet.filtered.changeFilters(null)
    await fleet.harness.sync()
    await control.harness.sync()
    expect(await fleet.contents()).toEqual(await control.contents())
    expect((await fleet.contents()).ifta_vehicle_months.length).toBeGreaterThan(10)
    const now = await fleet.stamps()
    expect([...stored].filter(([key, modifiedAt]) => now.get(key) !== modifiedAt)).toEqual([])
    expect(await fleet.harness.events()).toMatchObject({ 'sync.completed': STEPS + 2 })
    expect((await fleet.harness.events())['hos_log.removed']).toBeUndefined()
  })

  test('are stored if the sync dies after any of its commits', async () => {
    await using control = await Tracked.start(store)
    await using fleet = await Tracked.start(store)
    await Promise.all([control, fleet].map((each) => each.syncAfter(0)))
    await fleet.hideOne()
    await Promise.all([control, fleet].map((each) => each.syncAfter(STEPS * STEP_DAYS)))
    await fleet.filtered.changeFilters(null)
    const { id } = await fleet.harness.request()
    let kills = 0
    for (let isKilled = true; isKilled;) {
      const killed = new AbortController()
      const stop = fleet.harness.db.onStatement((sql) => {
        if (sql.startsWith('INSERT INTO `checkpoints`')) killed.abort()
      })
      isKilled = await fleet.harness.attempt(id, 1, killed.signal).then(
        () => false,
        () => killed.signal.aborted,
      )
      stop()
      kills += Number(isKilled)
    }
    expect(kills).toBeGreaterThan(1)
    await control.harness.sync()
    expect(await fleet.contents()).toEqual(await control.contents())
  })

  test('are stored by the sync during which the filter is loosened', async () => {
    await using control = await Tracked.start(store)
    await using fleet = await Tracked.start(store)
    await Promise.all([control, fleet].map((each) => each.syncAfter(0)))
    await fleet.hideOne()
    for (const { harness } of [control, fleet]) harness.moveClock(STEPS * STEP_DAYS * DAY_MS)
    let pages = 0
    fleet.records.onPage = async () => {
      if (++pages === 2) await fleet.filtered.changeFilters(null)
    }
    const { id } = await fleet.harness.request()
    await fleet.harness.attempt(id, 1)
    expect((await fleet.harness.syncRow()).status).toBe('in_progress')
    await fleet.harness.attempt(id, 1)
    expect((await fleet.harness.syncRow()).status).toBe('completed')
    await control.harness.sync()
    expect(await fleet.contents()).toEqual(await control.contents())
  })

  test('are stored as far back as a caller has requested a sync', async () => {
    await using control = await Tracked.start(store)
    await using fleet = await Tracked.start(store)
    await fleet.hideOne()
    for (const { harness } of [control, fleet]) {
      const now = harness.tools.clock.now()
      const input = {
        connectionId: harness.connectionId,
        providerName: 'Sandbox',
        startFrom: now - 40 * DAY_MS,
      }
      await harness.run((await requestSync(harness.db, input, now)).id)
    }
    await Promise.all([control, fleet].map((each) => each.syncAfter(STEP_DAYS)))
    await fleet.filtered.changeFilters(null)
    await Promise.all([control, fleet].map((each) => each.syncAfter(STEP_DAYS)))
    expect(await fleet.contents()).toEqual(await control.contents())
  })

  test('are stored by a requested sync, if its status shows the vehicle or driver again', async () => {
    await using control = await Tracked.start(store)
    await using fleet = await Tracked.start(store)
    await Promise.all([control, fleet].map((each) => each.syncAfter(0)))
    const startFrom = fleet.harness.tools.clock.now()
    await fleet.filtered.changeFilters({ vehicles: { status: 'active' }, drivers: { status: 'active' } })
    for (const [status, days] of [
      ['inactive', STEP_DAYS],
      ['inactive', STEPS * STEP_DAYS],
      ['active', STEP_DAYS],
    ] as const) {
      for (const { filtered } of [control, fleet])
        for (const kind of filteredKinds) filtered.listed[kind].set('1', { status, name: kind })
      await Promise.all([control, fleet].map((each) => each.syncAfter(days)))
    }
    expect(await fleet.contents()).not.toEqual(await control.contents())
    await Promise.all([control, fleet].map((each) => each.syncFrom(startFrom)))
    expect(await fleet.contents()).toEqual(await control.contents())
  })

  test('stay if the provider no longer has them when they are read again', async () => {
    await using fleet = await Tracked.start(store)
    await fleet.syncAfter(0)
    await fleet.syncAfter(STEPS * STEP_DAYS)
    const before = await fleet.contents()
    fleet.records.keptFrom = fleet.harness.tools.clock.now() - 30 * DAY_MS
    await fleet.hideOne()
    await fleet.filtered.changeFilters(null)
    await fleet.harness.sync()
    expect(await fleet.contents()).toEqual(before)
  })

  test('are removed if the provider has removed them meanwhile', async () => {
    await using fleet = await Tracked.start(store)
    await fleet.syncAfter(0)
    await fleet.syncAfter(STEPS * STEP_DAYS)
    await fleet.hideOne()
    const day = fleet.harness.tools.clock.now() / DAY_MS
    const removed = [20, 40].map((daysAgo) => `1-${Math.floor(day) - daysAgo}`).toSorted()
    for (const sourceId of removed) fleet.records.removed.add(sourceId)
    await fleet.syncAfter(STEP_DAYS)
    await fleet.filtered.changeFilters(null)
    await fleet.syncAfter(0)
    for (const table of ['trips', 'hos_logs']) expect(await fleet.removedIn(table)).toEqual([table, removed])
    expect(await fleet.harness.events()).toMatchObject({ 'trip.removed': 2, 'hos_log.removed': 2 })
  })

  test('are read again only for what a filter no longer hides', async () => {
    await using fleet = await Tracked.start(store)
    await fleet.syncAfter(0)
    const [vehicles, drivers] = (['vehicles', 'drivers'] as const).map((kind) =>
      SOURCE_IDS.map((sourceId) => fleet.filtered.idOf(kind, sourceId)),
    ) as [string[], string[]]
    const models = async (filters: ConnectionFilters | null) => {
      await fleet.filtered.changeFilters(filters)
      const rows = await fleet.harness.db.rows<{ model: string }>('SELECT `model` FROM `checkpoints`')
      await fleet.harness.sync()
      return rows.map(({ model }) => model).toSorted()
    }
    const all = ['Driver', 'FaultCodeEvent', 'HOSLog', 'IFTASummary', 'Trip', 'Vehicle', 'VehicleLocation']
    const ofVehicles = ['FaultCodeEvent', 'IFTASummary', 'Trip', 'VehicleLocation']
    const without = (...left: string[]) => all.filter((model) => !left.includes(model))
    const changes: [ConnectionFilters | null, string[]][] = [
      [{ vehicles: { excludeIds: [vehicles[0]!] } }, all],
      [{ vehicles: { excludeIds: vehicles } }, all],
      [{ vehicles: { excludeIds: vehicles, status: 'active' } }, all],
      [{ vehicles: { excludeIds: [vehicles[1]!], status: 'active' } }, without(...ofVehicles)],
      [{ vehicles: { excludeIds: [vehicles[1]!], status: 'inactive' } }, without(...ofVehicles)],
      [{ vehicles: { includeIds: [vehicles[1]!] } }, without(...ofVehicles)],
      [
        { vehicles: { includeIds: vehicles }, drivers: { includeIds: [drivers[0]!] } },
        without(...ofVehicles),
      ],
      [{ vehicles: { includeIds: vehicles }, drivers: { includeIds: drivers } }, without('HOSLog')],
      [{ drivers: { includeIds: drivers } }, without(...ofVehicles)],
      [null, without('HOSLog')],
      [{ drivers: { status: 'active' } }, all],
    ]
    for (const [filters, expected] of changes)
      expect([filters, await models(filters)]).toEqual([filters, expected])
  })
})

/** A fleet with records for each day. */
class Tracked implements AsyncDisposable {
  private constructor(
    readonly filtered: FilteredFleet,
    readonly records: DailyRecords,
  ) {}

  static async start(store: Store): Promise<Tracked> {
    const records = new DailyRecords(SOURCE_IDS)
    const { readers } = records
    return new Tracked(
      await FilteredFleet.start(store, SOURCE_IDS.length, { readers, startsAt: STARTS_AT }),
      records,
    )
  }

  get harness() {
    return this.filtered.harness
  }

  async syncAfter(days: number): Promise<void> {
    this.harness.moveClock(days * DAY_MS)
    await this.harness.sync()
  }

  /** Requests a sync from a time on, as a caller does, and runs it. */
  async syncFrom(startFrom: number): Promise<void> {
    const { db, tools, connectionId } = this.harness
    const input = { connectionId, providerName: 'Sandbox', startFrom }
    await this.harness.run((await requestSync(db, input, tools.clock.now())).id)
  }

  /** Hides the second vehicle and driver. */
  hideOne(): Promise<void> {
    const excluding = (kind: 'vehicles' | 'drivers') => ({ excludeIds: [this.filtered.idOf(kind, '1')] })
    return this.filtered.changeFilters({ vehicles: excluding('vehicles'), drivers: excluding('drivers') })
  }

  /** Returns the contents of the tables, without ids and stamps. */
  async contents(): Promise<Record<Table, string[]>> {
    const entries = await Promise.all(
      (Object.keys(tables) as Table[]).map(async (table) => {
        const owner = table === 'hos_logs' ? 'driver' : 'vehicle'
        const rows = await this.harness.db.rows<object>(
          `SELECT ${tables[table]}, (SELECT o.\`sourceId\` FROM \`${owner}s\` AS o WHERE o.\`id\` = \`${table}\`.\`${owner}Id\`) AS owner FROM \`${table}\``,
        )
        return [table, rows.map((row) => JSON.stringify(row)).toSorted()] as const
      }),
    )
    return Object.fromEntries(entries) as Record<Table, string[]>
  }

  /** Returns the source ids of the removed records of a table. */
  async removedIn(table: string): Promise<[string, string[]]> {
    const rows = await this.harness.db.rows<{ sourceId: string }>(
      `SELECT \`sourceId\` FROM \`${table}\` WHERE \`deletedAt\` IS NOT NULL ORDER BY \`sourceId\``,
    )
    return [table, rows.map(({ sourceId }) => sourceId)]
  }

  /** Returns the stamp of each stored record. */
  async stamps(): Promise<Map<string, number>> {
    const stamps = new Map<string, number>()
    for (const table of Object.keys(tables)) {
      const key = table === 'vehicle_locations' ? "CONCAT(`vehicleId`, '-', `locatedAt`)" : '`id`'
      const rows = await this.harness.db.rows<{ key: string; modifiedAt: number }>(
        `SELECT ${key} AS \`key\`, \`modifiedAt\` FROM \`${table}\``,
      )
      for (const row of rows) stamps.set(row.key, Number(row.modifiedAt))
    }
    return stamps
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.filtered[Symbol.asyncDispose]()
  }
}

import { describe, expect, onTestFinished, test } from 'vitest'
import { storedSeries, storeSeries } from '../../src/intake/series.ts'
import type { KeptModel } from '../../src/models.ts'
import type { LatestLocationDraft, LocationDraft, StatLogDraft } from '../../src/providers/drafts.ts'
import type { ProviderAdapter, Reader } from '../../src/providers/provider.ts'
import { one } from '../../src/storage/one.ts'
import { Connection } from '../../src/subgraphs/connections/connection.ts'
import { renormalize } from '../../src/sync/renormalizing/renormalize.ts'
import type { Renormalized } from '../../src/sync/renormalizing/renormalized.ts'
import type { Store } from '../prove/service-process.ts'
import { stores } from '../stores.ts'
import { SyncRig } from './rig.ts'

const NOON = Date.UTC(2025, 5, 1, 12)
const LONG = 60_000

/** A provider whose records are told here, one vehicle's at a time. */
class Told {
  record: object = {}

  reader = <Draft>(schema: string, toDraft = (record: unknown) => record as Draft): Reader<Draft> => ({
    mode: 'full',
    schema,
    read: async () => ({ records: [this.record], next: null }),
    toDraft,
  })

  adapter = (sandbox: ProviderAdapter): ProviderAdapter => ({
    ...sandbox,
    readers: {
      VehicleLocation: this.reader<LocationDraft>('track'),
      VehicleStatLog: this.reader<StatLogDraft>('reading'),
    },
    latest: { LatestVehicleLocation: this.reader<LatestLocationDraft>('now') },
  })
}

const place: LatestLocationDraft = {
  vehicleSourceId: 'truck',
  driverSourceId: null,
  locatedAt: NOON,
  location: { longitude: -87.6, latitude: 41.9 },
  address: null,
  headingDegrees: null,
  speedKph: 0,
  odometerKilometers: null,
  fuelPrimaryPercentage: null,
  fuelSecondaryPercentage: null,
  engineState: 'idle',
  engineRuntimeMilliseconds: null,
}

const reading: StatLogDraft = {
  vehicleSourceId: 'truck',
  type: 'odometer',
  timestamp: NOON,
  sourceId: null,
  value: 12,
  state: null,
}

class Stage {
  private constructor(
    readonly told: Told,
    readonly rig: SyncRig,
  ) {}

  static async start(store: Store): Promise<Stage> {
    const told = new Told()
    const rig = await SyncRig.start(store, { vehicles: 1, wrapped: told.adapter })
    onTestFinished(() => rig[Symbol.asyncDispose]())
    return new Stage(told, rig)
  }

  async poll(record: Partial<LatestLocationDraft>): Promise<void> {
    this.told.record = { ...place, ...record }
    this.rig.moveClock(3_600_000)
    await this.rig.poll()
  }

  async store<M extends keyof typeof storedSeries>(model: M, schema: string, drafts: readonly object[]) {
    const connection = await this.connection()
    const reads = drafts.map((draft) => ({ draft: draft as never, raw: draft }))
    await this.rig.db.transaction((tx) =>
      storeSeries<never>(tx, storedSeries[model], connection, schema, reads, 1),
    )
  }

  async renormalized(model: KeptModel, changes: Partial<ProviderAdapter['readers']> = {}) {
    const sandbox = this.rig.tools.registry.find('sandbox')!
    const adapter = { ...sandbox, readers: { ...sandbox.readers, ...changes } }
    const connection = await this.connection()
    const done: Renormalized[] = []
    for await (const counts of renormalize(this.rig.tools, { connection, adapter, models: [model] }))
      done.push(counts)
    return done
  }

  async row(table: string): Promise<Record<string, unknown> | undefined> {
    return (await this.rig.db.rows<Record<string, unknown>>(`SELECT * FROM \`${table}\``))[0]
  }

  private connection = async () => (await one(this.rig.db, Connection, this.rig.connectionId))!
}

describe.each(stores)('what is told of the same moment again on %s', (store) => {
  test('of where a vehicle is takes nothing back, and mapped again neither', { timeout: LONG }, async () => {
    const stage = await Stage.start(store)
    await stage.poll({ fuelPrimaryPercentage: 20 })
    await stage.poll({ engineState: 'off' })
    const known = { fuelPrimaryPercentage: 20, engineState: 'off' }
    expect(await stage.row('latest_vehicle_locations')).toMatchObject(known)
    expect(await stage.renormalized('LatestVehicleLocation')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await stage.row('latest_vehicle_locations')).toMatchObject(known)
  })

  test('of a measurement is what it is, also where it is mapped again', { timeout: LONG }, async () => {
    const stage = await Stage.start(store)
    await stage.store('VehicleStatLog', 'reading', [reading])
    const unknown = stage.told.reader<StatLogDraft>('reading', (record) => ({
      ...(record as StatLogDraft),
      value: null,
    }))
    expect(await stage.renormalized('VehicleStatLog')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await stage.renormalized('VehicleStatLog', { VehicleStatLog: unknown })).toMatchObject([
      { read: 1, changed: 1 },
    ])
    expect(await stage.row('vehicle_stat_logs')).toMatchObject({ value: null })
  })

  test('of a place in a track takes nothing back', { timeout: LONG }, async () => {
    const stage = await Stage.start(store)
    await stage.store('VehicleLocation', 'now', [{ ...place, address: 'Wacker Drive' }])
    await stage.store('VehicleLocation', 'track', [{ ...place, headingDegrees: 90 }])
    expect(await stage.renormalized('VehicleLocation')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await stage.row('vehicle_locations')).toMatchObject({ addressText: 'Wacker Drive', heading: 90 })
  })
})

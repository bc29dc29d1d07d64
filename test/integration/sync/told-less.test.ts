import { describe, expect, onTestFinished, test } from 'vitest'
import { timeSeriesStores, storeTimeSeries } from '../../../src/sync/ingest/time-series-store.ts'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type {
  NormalizedLatestLocation,
  NormalizedLocation,
  NormalizedStatLog,
} from '../../../src/providers/normalized-records.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { remap } from '../../../src/sync/remap/remap.ts'
import type { RemapResult } from '../../../src/sync/remap/remap-counts.ts'
import type { Store } from '../../prove/service-process.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const NOON = Date.UTC(2025, 5, 1, 12)
const LONG = 60_000

/** A provider whose records are told here, one vehicle's at a time. */
class Told {
  record: object = {}

  reader = <Draft>(schema: string, normalize = (record: unknown) => record as Draft): Reader<Draft> => ({
    mode: 'full',
    schema,
    read: async () => ({ records: [this.record], next: null }),
    normalize,
  })

  adapter = (sandbox: ProviderAdapter): ProviderAdapter => ({
    ...sandbox,
    readers: {
      VehicleLocation: this.reader<NormalizedLocation>('track'),
      VehicleStatLog: this.reader<NormalizedStatLog>('reading'),
    },
    latest: { LatestVehicleLocation: this.reader<NormalizedLatestLocation>('now') },
  })
}

const place: NormalizedLatestLocation = {
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

const reading: NormalizedStatLog = {
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
    readonly harness: SyncHarness,
  ) {}

  static async start(store: Store): Promise<Stage> {
    const told = new Told()
    const harness = await SyncHarness.start(store, { vehicles: 1, wrapped: told.adapter })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    return new Stage(told, harness)
  }

  async poll(record: Partial<NormalizedLatestLocation>): Promise<void> {
    this.told.record = { ...place, ...record }
    this.harness.moveClock(3_600_000)
    await this.harness.poll()
  }

  async store<M extends keyof typeof timeSeriesStores>(model: M, schema: string, drafts: readonly object[]) {
    const connection = await this.connection()
    const reads = drafts.map((normalized) => ({ normalized: normalized as never, raw: normalized }))
    await this.harness.db.transaction((tx) =>
      storeTimeSeries<never>(tx, timeSeriesStores[model], connection, schema, reads, 1),
    )
  }

  async renormalized(model: RawRetainedModel, changes: Partial<ProviderAdapter['readers']> = {}) {
    const sandbox = this.harness.tools.registry.find('sandbox')!
    const adapter = { ...sandbox, readers: { ...sandbox.readers, ...changes } }
    const connection = await this.connection()
    const done: RemapResult[] = []
    for await (const counts of remap(this.harness.tools, { connection, adapter, models: [model] }))
      done.push(counts)
    return done
  }

  async row(table: string): Promise<Record<string, unknown> | undefined> {
    return (await this.harness.db.rows<Record<string, unknown>>(`SELECT * FROM \`${table}\``))[0]
  }

  private connection = async () => (await findById(this.harness.db, Connection, this.harness.connectionId))!
}

describe.each(stores)('what is told of the same moment again on %s', (store) => {
  test('of where a vehicle is takes nothing back, and mapped again neither', { timeout: LONG }, async () => {
    const harness = await Stage.start(store)
    await harness.poll({ fuelPrimaryPercentage: 20 })
    await harness.poll({ engineState: 'off' })
    const known = { fuelPrimaryPercentage: 20, engineState: 'off' }
    expect(await harness.row('latest_vehicle_locations')).toMatchObject(known)
    expect(await harness.renormalized('LatestVehicleLocation')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await harness.row('latest_vehicle_locations')).toMatchObject(known)
  })

  test('of a measurement is what it is, also where it is mapped again', { timeout: LONG }, async () => {
    const harness = await Stage.start(store)
    await harness.store('VehicleStatLog', 'reading', [reading])
    const unknown = harness.told.reader<NormalizedStatLog>('reading', (record) => ({
      ...(record as NormalizedStatLog),
      value: null,
    }))
    expect(await harness.renormalized('VehicleStatLog')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await harness.renormalized('VehicleStatLog', { VehicleStatLog: unknown })).toMatchObject([
      { read: 1, changed: 1 },
    ])
    expect(await harness.row('vehicle_stat_logs')).toMatchObject({ value: null })
  })

  test('of a place in a track takes nothing back', { timeout: LONG }, async () => {
    const harness = await Stage.start(store)
    await harness.store('VehicleLocation', 'now', [{ ...place, address: 'Wacker Drive' }])
    await harness.store('VehicleLocation', 'track', [{ ...place, headingDegrees: 90 }])
    expect(await harness.renormalized('VehicleLocation')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await harness.row('vehicle_locations')).toMatchObject({ addressText: 'Wacker Drive', heading: 90 })
  })
})

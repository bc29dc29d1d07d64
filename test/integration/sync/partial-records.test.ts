import { describe, expect, onTestFinished, test } from 'vitest'
import { timeSeriesStores, storeTimeSeries } from '../../../src/sync/ingest/time-series-store.ts'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type {
  NormalizedLatestLocation,
  NormalizedLocation,
} from '../../../src/domain/models/vehicle-location.ts'
import type { NormalizedStatLog } from '../../../src/domain/models/vehicle-stat-log.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { remap } from '../../../src/sync/remap/remap.ts'
import type { RemapResult } from '../../../src/sync/remap/remap-counts.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const NOON = Date.UTC(2025, 5, 1, 12)
const LONG = 60_000

/** A provider that returns one record, which a test sets. */
class SingleRecordProvider {
  record: object = {}

  reader = <Normalized>(
    schema: string,
    normalize = (record: unknown) => record as Normalized,
  ): Reader<Normalized> => ({
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

const location: NormalizedLatestLocation = {
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

const measurement: NormalizedStatLog = {
  vehicleSourceId: 'truck',
  type: 'odometer',
  timestamp: NOON,
  sourceId: null,
  value: 12,
  state: null,
}

class PartialRecordsHarness {
  private constructor(
    readonly provider: SingleRecordProvider,
    readonly harness: SyncHarness,
  ) {}

  static async start(store: Store): Promise<PartialRecordsHarness> {
    const provider = new SingleRecordProvider()
    const harness = await SyncHarness.start(store, { vehicles: 1, wrapped: provider.adapter })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    return new PartialRecordsHarness(provider, harness)
  }

  async poll(record: Partial<NormalizedLatestLocation>): Promise<void> {
    this.provider.record = { ...location, ...record }
    this.harness.moveClock(3_600_000)
    await this.harness.poll()
  }

  async store<M extends keyof typeof timeSeriesStores>(model: M, schema: string, records: readonly object[]) {
    const connection = await this.connection()
    const reads = records.map((normalized) => ({ normalized: normalized as never, raw: normalized }))
    await this.harness.db.transaction((tx) =>
      storeTimeSeries<never>(tx, timeSeriesStores[model], connection, schema, reads, 1),
    )
  }

  async remap(model: RawRetainedModel, changes: Partial<ProviderAdapter['readers']> = {}) {
    const sandbox = this.harness.tools.registry.find('sandbox')!
    const adapter = { ...sandbox, readers: { ...sandbox.readers, ...changes } }
    const connection = await this.connection()
    const results: RemapResult[] = []
    for await (const counts of remap(this.harness.tools, { connection, adapter, models: [model] }))
      results.push(counts)
    return results
  }

  async row(table: string): Promise<Record<string, unknown> | undefined> {
    return (await this.harness.db.rows<Record<string, unknown>>(`SELECT * FROM \`${table}\``))[0]
  }

  private connection = async () => (await findById(this.harness.db, Connection, this.harness.connectionId))!
}

describe.each(stores)('a later record with fewer values on %s', (store) => {
  test(
    'of a latest location removes no values, also when it is mapped again',
    { timeout: LONG },
    async () => {
      const harness = await PartialRecordsHarness.start(store)
      await harness.poll({ fuelPrimaryPercentage: 20 })
      await harness.poll({ engineState: 'off' })
      const merged = { fuelPrimaryPercentage: 20, engineState: 'off' }
      expect(await harness.row('latest_vehicle_locations')).toMatchObject(merged)
      expect(await harness.remap('LatestVehicleLocation')).toMatchObject([{ read: 1, changed: 0 }])
      expect(await harness.row('latest_vehicle_locations')).toMatchObject(merged)
    },
  )

  test('of a measurement removes its value only when it is mapped again', { timeout: LONG }, async () => {
    const harness = await PartialRecordsHarness.start(store)
    await harness.store('VehicleStatLog', 'reading', [measurement])
    const unknown = harness.provider.reader<NormalizedStatLog>('reading', (record) => ({
      ...(record as NormalizedStatLog),
      value: null,
    }))
    expect(await harness.remap('VehicleStatLog')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await harness.remap('VehicleStatLog', { VehicleStatLog: unknown })).toMatchObject([
      { read: 1, changed: 1 },
    ])
    expect(await harness.row('vehicle_stat_logs')).toMatchObject({ value: null })
  })

  test('of a point of a track removes no values', { timeout: LONG }, async () => {
    const harness = await PartialRecordsHarness.start(store)
    await harness.store('VehicleLocation', 'now', [{ ...location, address: 'Wacker Drive' }])
    await harness.store('VehicleLocation', 'track', [{ ...location, headingDegrees: 90 }])
    expect(await harness.remap('VehicleLocation')).toMatchObject([{ read: 1, changed: 0 }])
    expect(await harness.row('vehicle_locations')).toMatchObject({ addressText: 'Wacker Drive', heading: 90 })
  })
})

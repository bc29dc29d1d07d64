import { describe, expect, onTestFinished, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { NormalizedLatestLocation } from '../../../src/domain/models/vehicle-location.ts'
import { timeSeriesStores, storeTimeSeries } from '../../../src/sync/ingest/time-series-store.ts'
import type { Store } from '../../prove/support/service-process.ts'
import type { Transaction } from '../../../src/storage/database.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** More than a database accepts in one condition. */
const VEHICLES = 1200
const NOON = Date.UTC(2025, 5, 1, 12)
const LONG = 120_000

interface Fleet {
  locatedAt: number
}

/** Returns an adapter that reads the locations of the whole fleet in one page. */
const withOnePage = (adapter: ProviderAdapter, fleet: Fleet): ProviderAdapter => ({
  ...adapter,
  latest: {
    LatestVehicleLocation: {
      mode: 'full',
      schema: 'place',
      read: async () => ({
        records: Array.from({ length: VEHICLES }, (_, index) => ({ index })),
        next: null,
      }),
      normalize: (record) => locationOf(String((record as { index: number }).index), fleet.locatedAt),
    } satisfies Reader<NormalizedLatestLocation>,
  },
})

const locationOf = (vehicleSourceId: string, locatedAt: number): NormalizedLatestLocation => ({
  vehicleSourceId,
  driverSourceId: null,
  locatedAt,
  location: { longitude: -87.6, latitude: 41.9 },
  address: null,
  headingDegrees: null,
  speedKph: null,
  odometerKilometers: null,
  fuelPrimaryPercentage: null,
  fuelSecondaryPercentage: null,
  engineState: null,
  engineRuntimeMilliseconds: null,
})

async function startHarness(store: Store, fleet: Fleet = { locatedAt: NOON }): Promise<SyncHarness> {
  const harness = await SyncHarness.start(store, {
    vehicles: 1,
    wrapped: (adapter) => withOnePage(adapter, fleet),
  })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  return harness
}

/** Stores points. Returns how many rows were written, and how many were read for that. */
async function storePoints(harness: SyncHarness, locations: readonly NormalizedLatestLocation[]) {
  const connection = (await findById(harness.db, Connection, harness.connectionId))!
  const reads = locations.map((normalized) => ({ normalized, raw: {} }))
  let read = 0
  const written = await harness.db.inBackground().transaction((tx) => {
    const rows: Transaction['rows'] = async <T>(sql: string, parameters?: readonly unknown[]) => {
      const found = await tx.rows<T>(sql, parameters)
      read += found.length
      return found
    }
    const counting = { ...tx, rows }
    return storeTimeSeries(counting, timeSeriesStores.VehicleLocation, connection, 'place', reads, 1)
  })
  return { written, read }
}

function statementsOf(harness: SyncHarness, table: string): string[] {
  const statements: string[] = []
  onTestFinished(
    harness.db.onStatement((sql) => {
      if (sql.includes(`\`${table}\``)) statements.push(sql)
    }),
  )
  return statements
}

describe.each(stores)('a page of many vehicles on %s', (store) => {
  test('is stored completely by each poll', { timeout: LONG }, async () => {
    const fleet = { locatedAt: NOON }
    const harness = await startHarness(store, fleet)
    await harness.poll()
    expect(await harness.count('`latest_vehicle_locations`')).toBe(VEHICLES)
    fleet.locatedAt += 60_000
    harness.moveClock(3_600_000)
    await harness.poll()
    expect(await harness.count(`\`latest_vehicle_locations\` WHERE \`locatedAt\` = ${fleet.locatedAt}`)).toBe(
      VEHICLES,
    )
    expect(await harness.count('`vehicle_locations`')).toBe(2 * VEHICLES)
  })

  test('needs one statement for 500 points', { timeout: LONG }, async () => {
    const harness = await startHarness(store)
    const page = Array.from({ length: VEHICLES }, (_, index) => locationOf(String(index), NOON))
    const statements = statementsOf(harness, 'vehicle_locations')
    expect(await storePoints(harness, page)).toEqual({ written: VEHICLES, read: 0 })
    expect(statements.map((sql) => sql.slice(0, 6))).toEqual([
      'SELECT',
      'SELECT',
      'SELECT',
      'INSERT',
      'INSERT',
      'INSERT',
    ])
    statements.length = 0
    expect(await storePoints(harness, page)).toEqual({ written: 0, read: VEHICLES })
    expect(statements).toHaveLength(3)
  })

  test('reads only the rows of its points, also if they are years apart', { timeout: LONG }, async () => {
    const harness = await startHarness(store)
    await storePoints(
      harness,
      Array.from({ length: VEHICLES }, (_, minute) => locationOf('truck', NOON + 60_000 * minute)),
    )
    const apart = [locationOf('truck', 0), locationOf('truck', NOON), locationOf('truck', NOON + 86_400_000)]
    expect(await storePoints(harness, apart)).toEqual({ written: 2, read: 1 })
  })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { NormalizedLatestLocation } from '../../../src/providers/normalized-records.ts'
import { timeSeriesStores, storeTimeSeries } from '../../../src/sync/ingest/time-series-store.ts'
import type { Store } from '../../prove/service-process.ts'
import type { Transaction } from '../../../src/storage/database.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** More than a database takes in one condition. */
const VEHICLES = 1200
const NOON = Date.UTC(2025, 5, 1, 12)
const LONG = 120_000

interface Fleet {
  locatedAt: number
}

/** A provider that tells in one page where the whole fleet is. */
const telling = (adapter: ProviderAdapter, fleet: Fleet): ProviderAdapter => ({
  ...adapter,
  latest: {
    LatestVehicleLocation: {
      mode: 'full',
      schema: 'place',
      read: async () => ({
        records: Array.from({ length: VEHICLES }, (_, index) => ({ index })),
        next: null,
      }),
      normalize: (record) => placeOf(String((record as { index: number }).index), fleet.locatedAt),
    } satisfies Reader<NormalizedLatestLocation>,
  },
})

const placeOf = (vehicleSourceId: string, locatedAt: number): NormalizedLatestLocation => ({
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

async function started(store: Store, fleet: Fleet = { locatedAt: NOON }): Promise<SyncHarness> {
  const harness = await SyncHarness.start(store, {
    vehicles: 1,
    wrapped: (adapter) => telling(adapter, fleet),
  })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  return harness
}

/** Gives how many points were written, and how many were read for it. */
async function stored(harness: SyncHarness, places: readonly NormalizedLatestLocation[]) {
  const connection = (await findById(harness.db, Connection, harness.connectionId))!
  const reads = places.map((normalized) => ({ normalized, raw: {} }))
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
  const heard: string[] = []
  onTestFinished(
    harness.db.onStatement((sql) => {
      if (sql.includes(`\`${table}\``)) heard.push(sql)
    }),
  )
  return heard
}

describe.each(stores)('a page of many vehicles on %s', (store) => {
  test('is stored whole, poll after poll', { timeout: LONG }, async () => {
    const fleet = { locatedAt: NOON }
    const harness = await started(store, fleet)
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

  test('costs a statement for every 500 points', { timeout: LONG }, async () => {
    const harness = await started(store)
    const page = Array.from({ length: VEHICLES }, (_, index) => placeOf(String(index), NOON))
    const heard = statementsOf(harness, 'vehicle_locations')
    expect(await stored(harness, page)).toEqual({ written: VEHICLES, read: 0 })
    expect(heard.map((sql) => sql.slice(0, 6))).toEqual([
      'SELECT',
      'SELECT',
      'SELECT',
      'INSERT',
      'INSERT',
      'INSERT',
    ])
    heard.length = 0
    expect(await stored(harness, page)).toEqual({ written: 0, read: VEHICLES })
    expect(heard).toHaveLength(3)
  })

  test('reads no more than it tells of, however far apart its points lie', { timeout: LONG }, async () => {
    const harness = await started(store)
    await stored(
      harness,
      Array.from({ length: VEHICLES }, (_, minute) => placeOf('truck', NOON + 60_000 * minute)),
    )
    const apart = [placeOf('truck', 0), placeOf('truck', NOON), placeOf('truck', NOON + 86_400_000)]
    expect(await stored(harness, apart)).toEqual({ written: 2, read: 1 })
  })
})

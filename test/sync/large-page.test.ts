import { describe, expect, onTestFinished, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../src/providers/provider.ts'
import type { LatestLocationDraft } from '../../src/providers/drafts.ts'
import { storedSeries, storeSeries } from '../../src/intake/series.ts'
import type { Store } from '../prove/service-process.ts'
import type { Transaction } from '../../src/storage/database.ts'
import { one } from '../../src/storage/one.ts'
import { Connection } from '../../src/subgraphs/connections/connection.ts'
import { stores } from '../stores.ts'
import { SyncRig } from './rig.ts'

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
      toDraft: (record) => placeOf(String((record as { index: number }).index), fleet.locatedAt),
    } satisfies Reader<LatestLocationDraft>,
  },
})

const placeOf = (vehicleSourceId: string, locatedAt: number): LatestLocationDraft => ({
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

async function started(store: Store, fleet: Fleet = { locatedAt: NOON }): Promise<SyncRig> {
  const rig = await SyncRig.start(store, { vehicles: 1, wrapped: (adapter) => telling(adapter, fleet) })
  onTestFinished(() => rig[Symbol.asyncDispose]())
  return rig
}

/** Gives how many points were written, and how many were read for it. */
async function stored(rig: SyncRig, places: readonly LatestLocationDraft[]) {
  const connection = (await one(rig.db, Connection, rig.connectionId))!
  const reads = places.map((draft) => ({ draft, raw: {} }))
  let read = 0
  const written = await rig.db.inBackground().transaction((tx) => {
    const rows: Transaction['rows'] = async <T>(sql: string, parameters?: readonly unknown[]) => {
      const found = await tx.rows<T>(sql, parameters)
      read += found.length
      return found
    }
    const counting = { ...tx, rows }
    return storeSeries(counting, storedSeries.VehicleLocation, connection, 'place', reads, 1)
  })
  return { written, read }
}

function statementsOf(rig: SyncRig, table: string): string[] {
  const heard: string[] = []
  onTestFinished(
    rig.db.onStatement((sql) => {
      if (sql.includes(`\`${table}\``)) heard.push(sql)
    }),
  )
  return heard
}

describe.each(stores)('a page of many vehicles on %s', (store) => {
  test('is stored whole, poll after poll', { timeout: LONG }, async () => {
    const fleet = { locatedAt: NOON }
    const rig = await started(store, fleet)
    await rig.poll()
    expect(await rig.count('`latest_vehicle_locations`')).toBe(VEHICLES)
    fleet.locatedAt += 60_000
    rig.moveClock(3_600_000)
    await rig.poll()
    expect(await rig.count(`\`latest_vehicle_locations\` WHERE \`locatedAt\` = ${fleet.locatedAt}`)).toBe(
      VEHICLES,
    )
    expect(await rig.count('`vehicle_locations`')).toBe(2 * VEHICLES)
  })

  test('costs a statement for every 500 points', { timeout: LONG }, async () => {
    const rig = await started(store)
    const page = Array.from({ length: VEHICLES }, (_, index) => placeOf(String(index), NOON))
    const heard = statementsOf(rig, 'vehicle_locations')
    expect(await stored(rig, page)).toEqual({ written: VEHICLES, read: 0 })
    expect(heard.map((sql) => sql.slice(0, 6))).toEqual([
      'SELECT',
      'SELECT',
      'SELECT',
      'INSERT',
      'INSERT',
      'INSERT',
    ])
    heard.length = 0
    expect(await stored(rig, page)).toEqual({ written: 0, read: VEHICLES })
    expect(heard).toHaveLength(3)
  })

  test('reads no more than it tells of, however far apart its points lie', { timeout: LONG }, async () => {
    const rig = await started(store)
    await stored(
      rig,
      Array.from({ length: VEHICLES }, (_, minute) => placeOf('truck', NOON + 60_000 * minute)),
    )
    const apart = [placeOf('truck', 0), placeOf('truck', NOON), placeOf('truck', NOON + 86_400_000)]
    expect(await stored(rig, apart)).toEqual({ written: 2, read: 1 })
  })
})

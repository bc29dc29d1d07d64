import { describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { NormalizedVehicle } from '../../../src/domain/models/vehicle.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

describe.each(stores)('a value of a provider that the API cannot represent, on %s', (store) => {
  async function syncWith(change: VehicleChange) {
    const list = { change }
    const harness = await SyncHarness.start(store, {
      vehicles: 6,
      wrapped: (adapter) => withChangedVehicles(adapter, list),
    })
    await harness.sync()
    harness.moveClock(1000)
    return { harness, list }
  }

  const issues = (harness: SyncHarness) =>
    harness.db.rows<{ status: string; message: string }>(
      "SELECT `status`, `message` FROM `issues` WHERE `model` = 'Vehicle'",
    )

  test.each([2019.7, 2 ** 31, 2 ** 53, -1, '2019.7', NaN, 1e300])('is null: the year %s', async (year) => {
    const { harness } = await syncWith((vehicle) => ({ ...vehicle, year: year as number }))
    await using _ = harness

    expect(await harness.count('`vehicles` WHERE `year` IS NULL AND `make` IS NOT NULL')).toBe(6)
    expect(await issues(harness)).toEqual([
      {
        status: 'ongoing',
        message: expect.stringMatching(
          /^6 Vehicle records were stored without their impossible values \(year\)\./,
        ) as string,
      },
    ])
  })

  test('does not prevent removals, and its issue is resolved once the value is corrected', async () => {
    const { harness, list } = await syncWith((vehicle) => ({ ...vehicle, year: 12 }))
    await using _ = harness
    list.change = (vehicle, index) => (index === 0 ? null : { ...vehicle, year: 12 })
    await harness.sync()
    harness.moveClock(1000)
    expect(await harness.count('`vehicles` WHERE `deletedAt` IS NOT NULL')).toBe(1)

    list.change = (vehicle) => vehicle
    await harness.sync()
    expect((await issues(harness)).map(({ status }) => status)).toEqual(['resolved'])
    expect(await harness.count('`vehicles` WHERE `year` IS NOT NULL')).toBe(6)
  })

  test('is stored, with an issue: a mistyped VIN', async () => {
    const [first, second] = ['1HGCM82633A004325', 'WDB9634O31L000000']
    const { harness, list } = await syncWith((vehicle, index) =>
      index < 2 ? { ...vehicle, vin: index === 0 ? first.toLowerCase() : second } : vehicle,
    )
    await using _ = harness
    const stored = await harness.db.rows<{ vin: string }>('SELECT `vin` FROM `vehicles`')
    expect(stored.map(({ vin }) => vin)).toEqual(expect.arrayContaining([first, second]))
    expect(await issues(harness)).toEqual([
      {
        status: 'ongoing',
        message: `2 Vehicle records were stored with a mistyped VIN, such as ${first}, ${second}. Correct them at Sandbox: the check digit is wrong, or there is a letter I, O or Q.`,
      },
    ])

    list.change = (vehicle) => vehicle
    await harness.sync()
    expect((await issues(harness)).map(({ status }) => status)).toEqual(['resolved'])
  })

  test('is cut between characters and loses NUL characters: the name', async () => {
    const names = [`${'x'.repeat(254)}🚚🚚`, 'Box\0 7', '🚚'.repeat(300)]
    const { harness } = await syncWith((vehicle, index) => ({ ...vehicle, name: names[index % 3] as string }))
    await using _ = harness

    const rows = await harness.db.rows<{ name: string }>(
      'SELECT DISTINCT `name` FROM `vehicles` ORDER BY `name`',
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(
      ['Box 7', `${'x'.repeat(254)}🚚`, '🚚'.repeat(255)].sort(),
    )
  })
})

type VehicleChange = (vehicle: NormalizedVehicle, index: number) => NormalizedVehicle | null

/** Returns an adapter with changed vehicles. A change to null removes the vehicle from the list. */
function withChangedVehicles(adapter: ProviderAdapter, list: { change: VehicleChange }): ProviderAdapter {
  const vehicles = adapter.readers.Vehicle as Reader<NormalizedVehicle>
  const reader: Reader<NormalizedVehicle> = {
    ...vehicles,
    async read(...args) {
      const page = await vehicles.read(...args)
      const records = page.records
        .map((raw, index) => list.change(vehicles.normalize(raw, 0), index))
        .filter((vehicle) => vehicle !== null)
      return { ...page, records }
    },
    normalize: (raw) => raw as NormalizedVehicle,
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: reader } }
}

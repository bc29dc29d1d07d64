import { describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { NormalizedVehicle } from '../../../src/providers/normalized-records.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

describe.each(stores)('a value that a provider sends and the API cannot show, on %s', (store) => {
  async function synced(spoil: Spoil) {
    const spoiled = { spoil }
    const harness = await SyncHarness.start(store, {
      vehicles: 6,
      wrapped: (adapter) => withSpoiledVehicles(adapter, spoiled),
    })
    await harness.sync()
    harness.moveClock(1000)
    return { harness, spoiled }
  }

  const issues = (harness: SyncHarness) =>
    harness.db.rows<{ status: string; message: string }>(
      "SELECT `status`, `message` FROM `issues` WHERE `model` = 'Vehicle'",
    )

  test.each([2019.7, 2 ** 31, 2 ** 53, -1, '2019.7', NaN, 1e300])('is null: the year %s', async (year) => {
    const { harness } = await synced((vehicle) => ({ ...vehicle, year: year as number }))
    await using _ = harness

    expect(await harness.count('`vehicles` WHERE `year` IS NULL AND `make` IS NOT NULL')).toBe(6)
    expect(await issues(harness)).toEqual([
      {
        status: 'ongoing',
        message: expect.stringMatching(
          /^6 Vehicle records were stored without values .* \(year\)\./,
        ) as string,
      },
    ])
  })

  test('keeps nothing from being removed, and its issue is resolved when the provider corrects it', async () => {
    const { harness, spoiled } = await synced((vehicle) => ({ ...vehicle, year: 12 }))
    await using _ = harness
    spoiled.spoil = (vehicle, place) => (place === 0 ? null : { ...vehicle, year: 12 })
    await harness.sync()
    harness.moveClock(1000)
    expect(await harness.count('`vehicles` WHERE `deletedAt` IS NOT NULL')).toBe(1)

    spoiled.spoil = (vehicle) => vehicle
    await harness.sync()
    expect((await issues(harness)).map(({ status }) => status)).toEqual(['resolved'])
    expect(await harness.count('`vehicles` WHERE `year` IS NOT NULL')).toBe(6)
  })

  test('is cut between characters, and loses a NUL: the name', async () => {
    const names = [`${'x'.repeat(254)}🚚🚚`, 'Box\0 7', '🚚'.repeat(300)]
    const { harness } = await synced((vehicle, place) => ({ ...vehicle, name: names[place % 3] as string }))
    await using _ = harness

    const rows = await harness.db.rows<{ name: string }>(
      'SELECT DISTINCT `name` FROM `vehicles` ORDER BY `name`',
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(
      ['Box 7', `${'x'.repeat(254)}🚚`, '🚚'.repeat(255)].sort(),
    )
  })
})

type Spoil = (vehicle: NormalizedVehicle, place: number) => NormalizedVehicle | null

/** The adapter with other vehicles; null takes one out of the list. */
function withSpoiledVehicles(adapter: ProviderAdapter, spoiled: { spoil: Spoil }): ProviderAdapter {
  const vehicles = adapter.readers.Vehicle as Reader<NormalizedVehicle>
  const reader: Reader<NormalizedVehicle> = {
    ...vehicles,
    async read(...asked) {
      const page = await vehicles.read(...asked)
      const records = page.records
        .map((raw, place) => spoiled.spoil(vehicles.normalize(raw, 0), place))
        .filter((vehicle) => vehicle !== null)
      return { ...page, records }
    },
    normalize: (raw) => raw as NormalizedVehicle,
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: reader } }
}

import { describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** Three pages of vehicles. */
const LARGE = 1100

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** What becomes of the provider's list of vehicles. */
interface List {
  /** Vehicles of which a field is of another type, by their place in the list. */
  isUnreadable: (place: number) => boolean
  /** What the provider sends in place of such a vehicle. */
  spoil: (record: object) => object
  /** The place of a vehicle that is gone. */
  gone: number | null
  /** Called before each page. */
  onPage: (place: number) => void
}

const good: List = {
  isUnreadable: () => false,
  spoil: (record) => ({ ...record, year: [] }),
  gone: null,
  onPage: () => undefined,
}

describe.each(stores)('a list of which records cannot be read, on %s', (store) => {
  async function synced(vehicles: number) {
    const list = { ...good }
    const harness = await SyncHarness.start(store, { vehicles, wrapped: (adapter) => spoiled(adapter, list) })
    await harness.db.transaction((tx) => tx.run('UPDATE `connections` SET `backfillFrom` = NULL'))
    await harness.sync()
    harness.moveClock(1000)
    return { harness, list }
  }

  /** Those that are gone without the provider's word for it, and the events that say so. */
  const removed = async (harness: SyncHarness) => [
    await harness.count('`vehicles` WHERE `deletedAt` IS NOT NULL AND `deletedAt` > `addedAt`'),
    (await harness.events())['vehicle.removed'] ?? 0,
  ]

  test('removes nothing, however many they are; what is gone is removed once all is read', async () => {
    const { harness, list } = await synced(6)
    await using _ = harness
    for (const isUnreadable of [() => true, (place: number) => place === 5]) {
      Object.assign(list, { isUnreadable, gone: 1 })
      await harness.sync()
      harness.moveClock(1000)
      expect(await removed(harness)).toEqual([0, 0])
      expect(await harness.count("`issues` WHERE `status` = 'ongoing' AND `model` = 'Vehicle'")).toBe(1)
    }
    list.isUnreadable = good.isUnreadable
    await harness.sync()
    expect(await removed(harness)).toEqual([1, 1])
    expect(await harness.count("`issues` WHERE `status` = 'ongoing'")).toBe(0)
  })

  test('removes nothing either where another worker reads its other pages', async () => {
    const { harness, list } = await synced(LARGE)
    await using _ = harness
    const stop = new AbortController()
    Object.assign(list, {
      isUnreadable: (place: number) => place < 500,
      gone: 700,
      onPage: (place: number) => place === 500 && stop.abort(),
    })
    const sync = await harness.request()
    await expect(harness.run(sync.id, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(await harness.count('`left_out_records`')).toBe(500)
    const places: number[] = []
    list.onPage = (place) => places.push(place)
    await harness.run(sync.id)
    expect(places).toEqual([500, 1000])
    expect(await removed(harness)).toEqual([0, 0])
    Object.assign(list, { ...good, gone: 700 })
    harness.moveClock(1000)
    await harness.sync()
    expect(await removed(harness)).toEqual([1, 1])
  })

  test('are left out one by one if they are too large, and become an issue', async () => {
    const { harness, list } = await synced(6)
    await using _ = harness
    list.isUnreadable = (place) => place === 2
    list.spoil = (record) => ({ ...record, notes: 'x'.repeat(300 * 1024), name: 'Renamed' })
    await harness.sync()

    expect(await harness.count("`vehicles` WHERE `name` = 'Renamed'")).toBe(0)
    expect(await harness.count('`vehicles` WHERE `deletedAt` IS NULL')).toBe(6)
    expect(await harness.count("`issues` WHERE `status` = 'ongoing' AND `model` = 'Vehicle'")).toBe(1)
    expect(await harness.count('`left_out_records`')).toBe(0)
  })

  test.each([20, 90, 600, 20_000])(
    'are left out or stored if they are nested %i levels deep',
    async (depth) => {
      const { harness, list } = await synced(6)
      await using _ = harness
      list.isUnreadable = (place) => place === 2
      list.spoil = (record) => ({ ...record, notes: nested(depth), name: 'Renamed' })
      await harness.sync()

      const isStored = depth < 64
      expect(await harness.count("`vehicles` WHERE `name` = 'Renamed'")).toBe(isStored ? 1 : 0)
      expect(await harness.count('`vehicles` WHERE `deletedAt` IS NULL')).toBe(6)
      expect(await harness.count("`issues` WHERE `status` = 'ongoing' AND `model` = 'Vehicle'")).toBe(
        isStored ? 0 : 1,
      )
      expect(await harness.count('`left_out_records`')).toBe(0)
    },
  )

  test('is kept as it is where it is met again: only when and by which sync is written', async () => {
    const { harness, list } = await synced(6)
    await using _ = harness
    list.isUnreadable = () => true
    await harness.sync()
    const kept = () => harness.db.rows<Kept>('SELECT * FROM `left_out_records` ORDER BY `hash`')
    const before = await kept()
    expect(before).toHaveLength(6)
    const written: string[] = []
    const stop = harness.db.onStatement((sql) => {
      if (/^(INSERT|UPDATE)[^(]*`left_out_records`/.test(sql)) written.push(sql.slice(0, 6))
    })
    harness.moveClock(1000)
    await harness.sync()
    stop()
    expect(written).toEqual(['UPDATE'])
    const after = await kept()
    expect(after.map(whatItSays)).toEqual(before.map(whatItSays))
    for (const [at, { extractedAt, seenIn }] of after.entries()) {
      expect(Number(extractedAt)).toBeGreaterThan(Number(before[at]?.extractedAt))
      expect(seenIn).not.toBe(before[at]?.seenIn)
    }
  })
})

interface Kept {
  readonly extractedAt: number
  readonly seenIn: string
}

const whatItSays = ({ extractedAt: _, seenIn: __, ...rest }: Kept) => rest

/** The adapter with such a list of vehicles. */
function spoiled(adapter: ProviderAdapter, list: List): ProviderAdapter {
  const vehicles = adapter.readers.Vehicle as Reader<never>
  const read: Reader<never>['read'] = async (api, state, ...asked) => {
    const first = state ? Number((state['place'] as number | undefined) ?? 0) : 0
    list.onPage(first)
    const page = await vehicles.read(api, state, ...asked)
    const records = page.records as object[]
    return {
      ...page,
      next: page.next && { ...page.next, place: first + records.length },
      records: records
        .map((record, index) => (list.isUnreadable(first + index) ? list.spoil(record) : record))
        .filter((_, index) => first + index !== list.gone),
    }
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: { ...vehicles, read } } }
}

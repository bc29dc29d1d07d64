import { describe, expect, test, vi } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

/** Three pages of vehicles. */
const LARGE = 1100

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** Changes of the provider's list of vehicles. */
interface ListChanges {
  /** Whether the vehicle at an index has no readable time of its creation. */
  isUnreadable: (index: number) => boolean
  /** Returns the record that the provider sends for an unreadable vehicle. */
  corrupt: (record: object) => object
  /** Index of a removed vehicle. */
  removedIndex: number | null
  /** Called before each page with the index of its first vehicle. */
  onPage: (index: number) => void
}

const unchanged: ListChanges = {
  isUnreadable: () => false,
  corrupt: (record) => ({ ...record, createdAt: [] }),
  removedIndex: null,
  onPage: () => undefined,
}

describe.each(stores)('a list with unreadable records, on %s', (store) => {
  async function syncFleet(vehicles: number) {
    const list = { ...unchanged }
    const harness = await SyncHarness.start(store, {
      vehicles,
      wrapped: (adapter) => withChanges(adapter, list),
    })
    await harness.db.transaction((tx) => tx.run('UPDATE `connections` SET `backfillFrom` = NULL'))
    await harness.sync()
    harness.moveClock(1000)
    return { harness, list }
  }

  /** Returns the number of vehicles that a sync has removed, and the number of their events. */
  const removed = async (harness: SyncHarness) => [
    await harness.count('`vehicles` WHERE `deletedAt` IS NOT NULL AND `deletedAt` > `addedAt`'),
    (await harness.events())['vehicle.removed'] ?? 0,
  ]

  test('removes nothing, and removes missing records once all are readable', async () => {
    const { harness, list } = await syncFleet(6)
    await using _ = harness
    for (const isUnreadable of [() => true, (index: number) => index === 5]) {
      Object.assign(list, { isUnreadable, removedIndex: 1 })
      await harness.sync()
      harness.moveClock(1000)
      expect(await removed(harness)).toEqual([0, 0])
      expect(await harness.count("`issues` WHERE `status` = 'ongoing' AND `model` = 'Vehicle'")).toBe(1)
    }
    list.isUnreadable = unchanged.isUnreadable
    await harness.sync()
    expect(await removed(harness)).toEqual([1, 1])
    expect(await harness.count("`issues` WHERE `status` = 'ongoing'")).toBe(0)
  })

  test('removes nothing if another worker reads the other pages', async () => {
    const { harness, list } = await syncFleet(LARGE)
    await using _ = harness
    const stop = new AbortController()
    Object.assign(list, {
      isUnreadable: (index: number) => index < 500,
      removedIndex: 700,
      onPage: (index: number) => index === 500 && stop.abort(),
    })
    const sync = await harness.request()
    using logged = vi.spyOn(harness.tools.log, 'info')
    await expect(harness.run(sync.id, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(await harness.count('`left_out_records`')).toBe(500)
    expect(logged.mock.calls).toEqual([
      [{ model: 'Vehicle', reason: expect.stringContaining('createdAt') }, 'unreadable data skipped'],
    ])
    const firstIndexes: number[] = []
    list.onPage = (index) => firstIndexes.push(index)
    await harness.run(sync.id)
    expect(firstIndexes).toEqual([500, 1000])
    expect(await removed(harness)).toEqual([0, 0])
    Object.assign(list, { ...unchanged, removedIndex: 700 })
    harness.moveClock(1000)
    await harness.sync()
    expect(await removed(harness)).toEqual([1, 1])
  })

  test('leaves out single records that are too large, with an issue', async () => {
    const { harness, list } = await syncFleet(6)
    await using _ = harness
    list.isUnreadable = (index) => index === 2
    list.corrupt = (record) => ({ ...record, notes: 'x'.repeat(300 * 1024), name: 'Renamed' })
    await harness.sync()

    expect(await harness.count("`vehicles` WHERE `name` = 'Renamed'")).toBe(0)
    expect(await harness.count('`vehicles` WHERE `deletedAt` IS NULL')).toBe(6)
    expect(await harness.count("`issues` WHERE `status` = 'ongoing' AND `model` = 'Vehicle'")).toBe(1)
    expect(await harness.count('`left_out_records`')).toBe(0)
  })

  test.each([20, 90, 600, 20_000])(
    'are left out or stored if they are nested %i levels deep',
    async (depth) => {
      const { harness, list } = await syncFleet(6)
      await using _ = harness
      list.isUnreadable = (index) => index === 2
      list.corrupt = (record) => ({ ...record, notes: nested(depth), name: 'Renamed' })
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

  test('updates only the time and the sync of records that are already kept', async () => {
    const { harness, list } = await syncFleet(6)
    await using _ = harness
    list.isUnreadable = () => true
    await harness.sync()
    const kept = () => harness.db.rows<KeptRecord>('SELECT * FROM `left_out_records` ORDER BY `hash`')
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
    expect(after.map(contentOf)).toEqual(before.map(contentOf))
    for (const [at, { extractedAt, seenIn }] of after.entries()) {
      expect(Number(extractedAt)).toBeGreaterThan(Number(before[at]?.extractedAt))
      expect(seenIn).not.toBe(before[at]?.seenIn)
    }
  })
})

interface KeptRecord {
  readonly extractedAt: number
  readonly seenIn: string
}

const contentOf = ({ extractedAt: _, seenIn: __, ...rest }: KeptRecord) => rest

/** Returns an adapter with a changed list of vehicles. */
function withChanges(adapter: ProviderAdapter, list: ListChanges): ProviderAdapter {
  const vehicles = adapter.readers.Vehicle as Reader<never>
  const read: Reader<never>['read'] = async (api, state, ...args) => {
    const first = state ? Number((state['index'] as number | undefined) ?? 0) : 0
    list.onPage(first)
    const page = await vehicles.read(api, state, ...args)
    const records = page.records as object[]
    return {
      ...page,
      next: page.next && { ...page.next, index: first + records.length },
      records: records
        .map((record, index) => (list.isUnreadable(first + index) ? list.corrupt(record) : record))
        .filter((_, index) => first + index !== list.removedIndex),
    }
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: { ...vehicles, read } } }
}

import { describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../src/providers/provider.ts'
import { stores } from '../stores.ts'
import { SyncRig } from './rig.ts'

/** Three pages of vehicles. */
const LARGE = 1100

/** What becomes of the provider's list of vehicles. */
interface List {
  /** Vehicles of which a field is of another type, by their place in the list. */
  isUnreadable: (place: number) => boolean
  /** The place of a vehicle that is gone. */
  gone: number | null
  /** Called before each page. */
  onPage: (place: number) => void
}

const good: List = { isUnreadable: () => false, gone: null, onPage: () => undefined }

describe.each(stores)('a list of which records cannot be read, on %s', (store) => {
  async function synced(vehicles: number) {
    const list = { ...good }
    const rig = await SyncRig.start(store, { vehicles, wrapped: (adapter) => spoiled(adapter, list) })
    await rig.db.transaction((tx) => tx.run('UPDATE `connections` SET `backfillFrom` = NULL'))
    await rig.sync()
    rig.moveClock(1000)
    return { rig, list }
  }

  /** Those that are gone without the provider's word for it, and the events that say so. */
  const removed = async (rig: SyncRig) => [
    await rig.count('`vehicles` WHERE `deletedAt` IS NOT NULL AND `deletedAt` > `addedAt`'),
    (await rig.events())['vehicle.removed'] ?? 0,
  ]

  test('removes nothing, however many they are; what is gone is removed once all is read', async () => {
    const { rig, list } = await synced(6)
    await using _ = rig
    for (const isUnreadable of [() => true, (place: number) => place === 5]) {
      Object.assign(list, { isUnreadable, gone: 1 })
      await rig.sync()
      rig.moveClock(1000)
      expect(await removed(rig)).toEqual([0, 0])
      expect(await rig.count("`issues` WHERE `status` = 'ongoing' AND `model` = 'Vehicle'")).toBe(1)
    }
    list.isUnreadable = good.isUnreadable
    await rig.sync()
    expect(await removed(rig)).toEqual([1, 1])
    expect(await rig.count("`issues` WHERE `status` = 'ongoing'")).toBe(0)
  })

  test('removes nothing either where another worker reads its other pages', async () => {
    const { rig, list } = await synced(LARGE)
    await using _ = rig
    const stop = new AbortController()
    Object.assign(list, {
      isUnreadable: (place: number) => place < 500,
      gone: 700,
      onPage: (place: number) => place === 500 && stop.abort(),
    })
    const sync = await rig.request()
    await expect(rig.run(sync.id, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(await rig.count('`left_out_records`')).toBe(500)
    const places: number[] = []
    list.onPage = (place) => places.push(place)
    await rig.run(sync.id)
    expect(places).toEqual([500, 1000])
    expect(await removed(rig)).toEqual([0, 0])
    Object.assign(list, { ...good, gone: 700 })
    rig.moveClock(1000)
    await rig.sync()
    expect(await removed(rig)).toEqual([1, 1])
  })

  test('is kept as it is where it is met again: only when and by which sync is written', async () => {
    const { rig, list } = await synced(6)
    await using _ = rig
    list.isUnreadable = () => true
    await rig.sync()
    const kept = () => rig.db.rows<Kept>('SELECT * FROM `left_out_records` ORDER BY `hash`')
    const before = await kept()
    expect(before).toHaveLength(6)
    const written: string[] = []
    const stop = rig.db.onStatement((sql) => {
      if (/^(INSERT|UPDATE)[^(]*`left_out_records`/.test(sql)) written.push(sql.slice(0, 6))
    })
    rig.moveClock(1000)
    await rig.sync()
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
        .map((record, index) => (list.isUnreadable(first + index) ? { ...record, year: [] } : record))
        .filter((_, index) => first + index !== list.gone),
    }
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: { ...vehicles, read } } }
}

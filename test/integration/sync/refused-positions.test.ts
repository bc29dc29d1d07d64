import { describe, expect, test } from 'vitest'
import type { NormalizedTrip } from '../../../src/domain/models/trip.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'
import { minimalTrip } from '../../support/sync/minimal-trip.ts'

const PAGE = 200
const TRIPS = 1000
const ATTEMPTS = 6

describe.each(stores)('a position that the provider refuses, on %s', (store) => {
  test.each(['full', 'window', 'feed'] as const)(
    'is dropped by the next attempt, which reads the %s list from its start',
    async (mode) => {
      await using list = await TripList.start(store, mode)
      list.failsAt = (offset) => offset === 600
      const sync = await list.harness.request()
      await expect(list.attempt(sync.id, 1)).rejects.toMatchObject({ kind: 'unavailable' })
      expect(await list.stored()).toBe(600)
      list.failsAt = () => false
      list.refuses = (_offset, refused) => refused < 1
      await list.attempt(sync.id, 2)
      expect(list.takeOffsets()).toEqual([0, 200, 400, 600, 600, 0, 200, 400, 600, 800])
      expect(await list.stored()).toBe(TRIPS)
      expect(await list.changed()).toBe(0)
      expect(await list.harness.syncRow()).toMatchObject({ status: 'completed' })
    },
  )

  test('of an earlier sync is dropped by the first attempt of the next one', async () => {
    await using list = await TripList.start(store, 'feed')
    await list.harness.sync()
    list.takeOffsets()
    list.harness.moveClock(1000)
    list.refuses = (offset) => offset === TRIPS
    const sync = await list.harness.request()
    await list.attempt(sync.id, 1)
    expect(list.takeOffsets()).toEqual([1000, 0, 200, 400, 600, 800])
    expect(await list.stored()).toBe(TRIPS)
    expect(await list.changed()).toBe(0)
  })

  test('stays if the provider refuses the start too: the sync fails, and a later one continues', async () => {
    await using list = await TripList.start(store, 'feed')
    await list.harness.sync()
    list.takeOffsets()
    list.harness.moveClock(1000)
    list.refuses = () => true
    await expect(list.harness.sync()).rejects.toMatchObject({ kind: 'malformed' })
    expect(list.takeOffsets()).toEqual(Array.from({ length: ATTEMPTS }, () => [1000, 0]).flat())
    expect(await list.harness.syncRow()).toMatchObject({ status: 'failed' })
    list.harness.moveClock(1000)
    list.refuses = () => false
    await list.harness.sync()
    expect(list.takeOffsets()).toEqual([1000])
  })

  test('starts a list again only once in a sync', async () => {
    await using list = await TripList.start(store, 'window')
    list.refuses = (offset) => offset === 600
    await expect(list.harness.sync()).rejects.toMatchObject({ kind: 'malformed' })
    const again = Array.from({ length: ATTEMPTS - 1 }, () => 600)
    expect(list.takeOffsets()).toEqual([0, 200, 400, 600, 0, 200, 400, 600, ...again])
    expect(await list.stored()).toBe(600)
  })

  test('is kept after an answer that cannot be read', async () => {
    await using list = await TripList.start(store, 'feed')
    list.failsAt = (offset, requests) => offset === 600 && requests === 4
    list.failure = new ProviderError('malformed', 'the answer is not JSON')
    await list.harness.sync()
    expect(list.takeOffsets()).toEqual([0, 200, 400, 600, 600, 800])
  })

  test('counts the records that cannot be read once', async () => {
    await using list = await TripList.start(store, 'feed')
    list.unreadable = (offset) => offset < 3
    list.refuses = (offset, refused) => offset === 600 && refused < 1
    await list.harness.sync()
    expect(await list.stored()).toBe(TRIPS - 3)
    const [issue] = await list.harness.db.rows<{ message: string }>('SELECT `message` FROM `issues`')
    expect(issue?.message).toMatch(/^3 Trip records were left out/)
  })
})

type Mode = Reader<NormalizedTrip>['mode']

/** A sync engine whose provider has a list of trips. The provider can refuse the cursors of its pages. */
class TripList implements AsyncDisposable {
  private offsets: number[] = []
  private refusedRequests = 0
  /** Whether the provider refuses a page, given the number of requests that it has refused. */
  refuses: (offset: number, refused: number) => boolean = () => false
  /** Whether a request fails, given its number. */
  failsAt: (offset: number, requests: number) => boolean = () => false
  failure = new ProviderError('unavailable', 'the list failed')
  unreadable: (offset: number) => boolean = () => false

  private constructor(readonly mode: Mode) {}

  private started: SyncHarness | undefined

  get harness(): SyncHarness {
    if (!this.started) throw new Error('the list has no harness')
    return this.started
  }

  static async start(store: Store, mode: Mode): Promise<TripList> {
    const list = new TripList(mode)
    const wrapped = (adapter: ProviderAdapter) => ({ ...adapter, readers: { Trip: list.reader() } })
    list.started = await SyncHarness.start(store, { vehicles: 1, wrapped })
    return list
  }

  attempt(syncId: Parameters<SyncHarness['attempt']>[0], attempt: number): Promise<void> {
    return this.harness.attempt(syncId, attempt)
  }

  stored(): Promise<number> {
    return this.harness.count('`trips` WHERE `deletedAt` IS NULL')
  }

  /** Returns the number of stored trips that were written more than once. */
  changed(): Promise<number> {
    return this.harness.count('`trips` WHERE `modifiedAt` <> `addedAt`')
  }

  /** Returns the offsets that were requested since the last call. */
  takeOffsets(): number[] {
    return this.offsets.splice(0)
  }

  private reader(): Reader<NormalizedTrip> {
    return {
      mode: this.mode,
      schema: 'trip',
      read: async (api, state) => {
        const offset = Number(state?.['offset'] ?? 0)
        this.offsets.push(offset)
        if (this.failsAt(offset, this.offsets.length)) throw this.failure
        if (this.refuses(offset, this.refusedRequests)) {
          this.refusedRequests += 1
          // The simulator answers 400.
          await api.get('/vehicles', { cursor: 'expired' })
        }
        const next = Math.min(offset + PAGE, TRIPS)
        const records = Array.from({ length: next - offset }, (_, index) => ({ index: offset + index }))
        if (this.mode === 'feed') return { records, next: { offset: next }, isCaughtUp: next === TRIPS }
        return { records, next: next === TRIPS ? null : { offset: next } }
      },
      normalize: (record) => {
        const { index } = record as { index: number }
        if (this.unreadable(index)) throw new Error('not readable')
        return {
          ...minimalTrip,
          sourceId: `trip-${index}`,
          startedAt: SINCE + index,
          endedAt: SINCE + index + 1,
        }
      },
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.harness[Symbol.asyncDispose]()
  }
}

const SINCE = Date.now() - 3_600_000

import { describe, expect, test } from 'vitest'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { NormalizedTrip } from '../../../src/domain/models/trip.ts'
import type { ProviderAdapter, Reader, ReaderState } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'
import { minimalTrip } from '../../support/sync/minimal-trip.ts'

const HOUR_MS = 3_600_000
const PAGE = 2

describe.each(stores)('a feed on %s', (store) => {
  test('is continued where the last sync ended', async () => {
    await using feed = await FeedHarness.start(store)
    feed.addTrips(5)
    await feed.sync()
    expect(await feed.stored()).toBe(5)
    expect(feed.takeOffsets()).toEqual([null, 2, 4])
    feed.addTrips(3)
    await feed.sync()
    expect(await feed.stored()).toBe(8)
    expect(feed.takeOffsets()).toEqual([5, 7])
    await feed.sync()
    expect(feed.takeOffsets()).toEqual([8])
  })

  test('that fails is continued after its last page, also by another sync', async () => {
    await using feed = await FeedHarness.start(store)
    feed.addTrips(6)
    feed.failsFrom = 4
    await feed.sync()
    expect(await feed.stored()).toBe(4)
    expect(new Set(feed.takeOffsets())).toEqual(new Set([null, 2, 4]))
    feed.failsFrom = Infinity
    await feed.sync()
    expect(await feed.stored()).toBe(6)
    expect(feed.takeOffsets()).toEqual([4])
  })

  test('is read again from a requested start, and continued from there', async () => {
    await using feed = await FeedHarness.start(store)
    feed.addTrips(4)
    await feed.sync()
    feed.takeOffsets()
    await feed.sync({ startFrom: feed.timeOf(1) })
    expect(feed.takeOffsets()).toEqual([null, 3])
    expect(feed.windows.at(-1)?.from).toBe(feed.timeOf(1))
    await feed.sync()
    expect(feed.takeOffsets()).toEqual([4])
    expect(await feed.stored()).toBe(4)
  })

  test('that misses late records is read again from its window once a day, whatever else was requested', async () => {
    await using feed = await FeedHarness.start(store)
    feed.rereadsWindow = true
    feed.addTrips(4)
    await feed.sync()
    feed.takeOffsets()
    feed.harness.moveClock(20 * HOUR_MS)
    await feed.sync({ startFrom: feed.timeOf(3) })
    await feed.sync()
    expect(feed.takeOffsets()).toEqual([null, 4])
    feed.harness.moveClock(4 * HOUR_MS)
    await feed.sync()
    await feed.sync()
    expect(feed.takeOffsets()).toEqual([null, 2, 4])
  })

  test('still reads earlier records after a request with a later start', async () => {
    await using feed = await FeedHarness.start(store)
    feed.addTrips(6)
    feed.failsFrom = 2
    await feed.sync()
    expect(await feed.stored()).toBe(2)
    feed.failsFrom = Infinity
    await feed.sync({ startFrom: feed.timeOf(5) })
    expect(await feed.stored()).toBe(6)
    feed.takeOffsets()
    feed.harness.moveClock(2 * HOUR_MS)
    feed.addTrips(3)
    await feed.sync({ startFrom: feed.harness.tools.clock.now() - 1000 })
    expect(await feed.stored()).toBe(9)
    expect(feed.takeOffsets()).toEqual([6, 8])
  })

  test('gets the vehicles of the same sync in its roster', async () => {
    await using feed = await FeedHarness.start(store)
    await feed.sync()
    const vehicles = await feed.harness.db.rows<{ sourceId: string }>(
      'SELECT `sourceId` FROM `vehicles` ORDER BY `id`',
    )
    expect(vehicles.length).toBe(VEHICLES)
    expect(feed.rosters[0]).toEqual(vehicles.map(({ sourceId }) => sourceId))
  })
})

const VEHICLES = 3

/** A sync engine whose provider has a feed of trips with two records a page. */
class FeedHarness implements AsyncDisposable {
  private readonly trips: NormalizedTrip[] = []
  private requestedStates: ReaderState[] = []
  readonly windows: { from: number; to: number }[] = []
  readonly rosters: (readonly string[])[] = []
  rereadsWindow = false
  /** From this offset on, the provider fails. */
  failsFrom = Infinity

  private constructor(readonly harness: SyncHarness) {}

  static async start(store: Store): Promise<FeedHarness> {
    return new FeedHarness(await SyncHarness.start(store, { vehicles: VEHICLES }))
  }

  addTrips(count: number): void {
    for (let more = 0; more < count; more++) {
      const at = this.trips.length
      this.trips.push({
        ...minimalTrip,
        sourceId: `trip-${at}`,
        startedAt: this.timeOf(at),
        endedAt: this.timeOf(at) + 1,
      })
    }
  }

  timeOf(trip: number): number {
    return this.since + trip * 1000
  }

  private readonly since = Date.now() - HOUR_MS

  /** Returns the offsets that were requested since the last call. */
  takeOffsets(): unknown[] {
    const offsets = this.requestedStates.map((state) => state && state['offset'])
    this.requestedStates = []
    return offsets
  }

  async stored(): Promise<number> {
    return this.harness.count('`trips`')
  }

  async sync({ startFrom = null }: { startFrom?: number | null } = {}): Promise<void> {
    const { tools, connectionId } = this.harness
    const [adapter] = tools.registry.all as [ProviderAdapter]
    const deps = {
      ...tools,
      registry: registry([{ ...adapter, readers: { ...adapter.readers, Trip: this.reader() } }]),
    }
    this.harness.moveClock(1000)
    const { id } = await requestSync(
      tools.db,
      { connectionId, providerName: 'Sandbox', startFrom },
      tools.clock.now(),
    )
    const { signal } = new AbortController()
    for (let attempt = 5; ; attempt++)
      try {
        return await syncConnection(deps, id, { id: `job-${attempt}`, attempt, signal })
      } catch (error) {
        if (attempt > 8) throw error
      }
  }

  private reader(): Reader<NormalizedTrip> {
    return {
      mode: 'feed',
      rereadsWindow: this.rereadsWindow,
      needsRoster: true,
      schema: 'trip',
      read: async (_api, state, window, roster) => {
        this.requestedStates.push(state)
        this.windows.push(window)
        this.rosters.push(await roster.sourceIdsAfter('vehicle', '', 100))
        const since = this.trips.findIndex(({ startedAt }) => startedAt >= window.from)
        const offset = state ? Number(state['offset']) : Math.max(0, since)
        if (offset >= this.failsFrom) throw new ProviderError('unavailable', 'the feed failed')
        const records = this.trips.slice(offset, offset + PAGE)
        const next = offset + records.length
        return { records, next: { offset: next }, isCaughtUp: next === this.trips.length }
      },
      normalize: (record) => record as NormalizedTrip,
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.harness[Symbol.asyncDispose]()
  }
}

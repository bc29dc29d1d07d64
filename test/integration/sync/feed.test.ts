import { describe, expect, test } from 'vitest'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { NormalizedTrip } from '../../../src/providers/normalized-records.ts'
import type { ProviderAdapter, Reader, ReaderState } from '../../../src/providers/provider.ts'
import { registry } from '../../../src/providers/registry.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import type { Store } from '../../prove/service-process.ts'
import { stores } from '../../support/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const HOUR_MS = 3_600_000
const PAGE = 2

describe.each(stores)('a feed on %s', (store) => {
  test('is gone on with where the last sync came to', async () => {
    await using fed = await Fed.start(store)
    fed.happen(5)
    await fed.sync()
    expect(await fed.stored()).toBe(5)
    expect(fed.places()).toEqual([null, 2, 4])
    fed.happen(3)
    await fed.sync()
    expect(await fed.stored()).toBe(8)
    expect(fed.places()).toEqual([5, 7])
    await fed.sync()
    expect(fed.places()).toEqual([8])
  })

  test('that breaks off is gone on with after its last page, also by another sync', async () => {
    await using fed = await Fed.start(store)
    fed.happen(6)
    fed.breaksOff = 4
    await fed.sync()
    expect(await fed.stored()).toBe(4)
    expect(new Set(fed.places())).toEqual(new Set([null, 2, 4]))
    fed.breaksOff = Infinity
    await fed.sync()
    expect(await fed.stored()).toBe(6)
    expect(fed.places()).toEqual([4])
  })

  test('is read anew since a time that is asked for, and gone on with from there', async () => {
    await using fed = await Fed.start(store)
    fed.happen(4)
    await fed.sync()
    fed.places()
    await fed.sync({ startFrom: fed.timeOf(1) })
    expect(fed.places()).toEqual([null, 3])
    expect(fed.windows.at(-1)?.from).toBe(fed.timeOf(1))
    await fed.sync()
    expect(fed.places()).toEqual([4])
    expect(await fed.stored()).toBe(4)
  })

  test('loses nothing that was not read to a later time that is asked for', async () => {
    await using fed = await Fed.start(store)
    fed.happen(6)
    fed.breaksOff = 2
    await fed.sync()
    expect(await fed.stored()).toBe(2)
    fed.breaksOff = Infinity
    await fed.sync({ startFrom: fed.timeOf(5) })
    expect(await fed.stored()).toBe(6)
    fed.places()
    fed.harness.moveClock(2 * HOUR_MS)
    fed.happen(3)
    await fed.sync({ startFrom: fed.harness.tools.clock.now() - 1000 })
    expect(await fed.stored()).toBe(9)
    expect(fed.places()).toEqual([6, 8])
  })

  test('may ask for each vehicle that the same sync has read', async () => {
    await using fed = await Fed.start(store)
    await fed.sync()
    const vehicles = await fed.harness.db.rows<{ sourceId: string }>(
      'SELECT `sourceId` FROM `vehicles` ORDER BY `id`',
    )
    expect(vehicles.length).toBe(VEHICLES)
    expect(fed.rosters[0]).toEqual(vehicles.map(({ sourceId }) => sourceId))
  })
})

const VEHICLES = 3

/** A sync engine whose provider tells of trips in a feed of two a page, in the order in which it learned of them. */
class Fed implements AsyncDisposable {
  private readonly trips: NormalizedTrip[] = []
  private asked: ReaderState[] = []
  readonly windows: { from: number; to: number }[] = []
  readonly rosters: (readonly string[])[] = []
  /** From this place on the provider answers nothing. */
  breaksOff = Infinity

  private constructor(readonly harness: SyncHarness) {}

  static async start(store: Store): Promise<Fed> {
    return new Fed(await SyncHarness.start(store, { vehicles: VEHICLES }))
  }

  happen(count: number): void {
    for (let more = 0; more < count; more++) {
      const at = this.trips.length
      this.trips.push({
        ...trip,
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

  /** The places that were asked for since this was asked last. */
  places(): unknown[] {
    const asked = this.asked.map((state) => state && state['place'])
    this.asked = []
    return asked
  }

  async stored(): Promise<number> {
    return this.harness.count('`trips`')
  }

  async sync({ startFrom = null }: { startFrom?: number | null } = {}): Promise<void> {
    const { tools, connectionId } = this.harness
    const [adapter] = tools.registry.all as [ProviderAdapter]
    const fed = {
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
        return await syncConnection(fed, id, { id: `job-${attempt}`, attempt, signal })
      } catch (error) {
        if (attempt > 8) throw error
      }
  }

  private reader(): Reader<NormalizedTrip> {
    return {
      mode: 'feed',
      needsRoster: true,
      schema: 'trip',
      read: async (_api, state, window, roster) => {
        this.asked.push(state)
        this.windows.push(window)
        this.rosters.push(await roster.sourceIdsAfter('vehicle', '', 100))
        const since = this.trips.findIndex(({ startedAt }) => startedAt >= window.from)
        const place = state ? Number(state['place']) : Math.max(0, since)
        if (place >= this.breaksOff) throw new ProviderError('unavailable', 'the feed broke off')
        const records = this.trips.slice(place, place + PAGE)
        const next = place + records.length
        return { records, next: { place: next }, isCaughtUp: next === this.trips.length }
      },
      normalize: (record) => record as NormalizedTrip,
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.harness[Symbol.asyncDispose]()
  }
}

const trip = {
  vehicleSourceId: 'vehicle-1',
  driverSourceId: null,
  startLocation: null,
  endLocation: null,
  distanceKilometers: 1,
  durationMilliseconds: 1,
  createdAt: null,
  updatedAt: null,
}

import type { NormalizedVehicle } from '../../../src/domain/models/vehicle.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { SyncHarness } from './sync-harness.ts'
import { normalizedVehicle } from './normalized-vehicle.ts'

const HOUR_MS = 3_600_000

/** A sync engine whose provider lists the vehicles of a set, in pages. */
export class ListedFleet implements AsyncDisposable {
  /** Numbers of the vehicles that the provider lists. */
  listed: readonly number[] = []
  /** Called before each page. */
  onPage: (page: number) => void = () => undefined
  isUnreadable: (vehicle: number) => boolean = () => false

  private constructor(private readonly pageSize: number) {}

  private started: SyncHarness | undefined

  get harness(): SyncHarness {
    if (!this.started) throw new Error('the fleet has no harness')
    return this.started
  }

  static async start(store: Store, vehicles: number, pageSize: number): Promise<ListedFleet> {
    const fleet = new ListedFleet(pageSize)
    fleet.listed = numbers(vehicles)
    fleet.started = await SyncHarness.start(store, {
      vehicles: 1,
      startsAt: Date.UTC(2026, 5, 1),
      wrapped: (adapter: ProviderAdapter) => ({ ...adapter, readers: { Vehicle: fleet.reader() } }),
    })
    await fleet.harness.sync()
    return fleet
  }

  /** Lets time pass, then syncs. */
  async syncAfter(hours: number): Promise<void> {
    this.harness.moveClock(hours * HOUR_MS)
    await this.harness.sync()
  }

  /** Returns the numbers of the stored vehicles that are not removed. */
  async presentVehicles(): Promise<number[]> {
    const rows = await this.harness.db.rows<{ sourceId: string }>(
      'SELECT `sourceId` FROM `vehicles` WHERE `deletedAt` IS NULL',
    )
    return rows.map(({ sourceId }) => Number(sourceId)).toSorted((one, other) => one - other)
  }

  /** Returns the number of removed vehicles, and the number of their events. */
  async removed(): Promise<[number, number]> {
    const { harness } = this
    const events = await harness.events()
    return [await harness.count('`vehicles` WHERE `deletedAt` IS NOT NULL'), events['vehicle.removed'] ?? 0]
  }

  issues(): Promise<{ status: string; code: string; model: string; message: string }[]> {
    return this.harness.db.rows('SELECT `status`, `code`, `model`, `message` FROM `issues`')
  }

  private reader(): Reader<NormalizedVehicle> {
    return {
      mode: 'full',
      schema: 'vehicle',
      read: async (_api, state) => {
        const offset = Number(state?.['offset'] ?? 0)
        this.onPage(offset / this.pageSize)
        const end = offset + this.pageSize
        return {
          records: this.listed.slice(offset, end).map((vehicle) => ({ vehicle })),
          next: end < this.listed.length ? { offset: end } : null,
        }
      },
      normalize: (record) => {
        const { vehicle } = record as { vehicle: number }
        if (this.isUnreadable(vehicle)) throw new Error('not readable')
        return vehicleOf(vehicle)
      },
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.harness[Symbol.asyncDispose]()
  }
}

/** Returns the numbers from 0, or from `first`, up to `end`, which is excluded. */
export const numbers = (end: number, first = 0): number[] =>
  Array.from({ length: end - first }, (_, index) => first + index)

const vehicleOf = (vehicle: number) =>
  normalizedVehicle({ sourceId: String(vehicle), name: `Truck ${vehicle}` })

import type { NormalizedDriver } from '../../../src/domain/models/driver.ts'
import { derivedId } from '../../../src/domain/ids.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { ConnectionFilters, FilteredKind } from '../../../src/subgraphs/tables/filtered-connection.ts'
import { updateConnection } from '../../../src/subgraphs/connections/update-connection.ts'
import { stampVisibility } from '../../../src/sync/stamp-visibility.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { callerOf } from '../factories.ts'
import { SyncHarness } from './sync-harness.ts'
import { normalizedVehicle } from './normalized-vehicle.ts'

export interface ListedRecord {
  readonly status: 'active' | 'inactive'
  readonly name: string
}

/** A sync engine whose provider lists the given vehicles and drivers, and a caller that changes the filters. */
export class FilteredFleet implements AsyncDisposable {
  /** What the provider lists, by source id. */
  readonly listed: Readonly<Record<FilteredKind, Map<string, ListedRecord>>> = {
    vehicles: new Map(),
    drivers: new Map(),
  }

  private started: SyncHarness | undefined

  private constructor() {}

  get harness(): SyncHarness {
    if (!this.started) throw new Error('the fleet has no harness')
    return this.started
  }

  /** `readers` adds readers of further models. */
  static async start(
    store: Store,
    count: number,
    { readers = {}, startsAt = Date.UTC(2026, 5, 1) }: StartOptions = {},
  ): Promise<FilteredFleet> {
    const fleet = new FilteredFleet()
    for (let number = 0; number < count; number++)
      for (const kind of ['vehicles', 'drivers'] as const)
        fleet.listed[kind].set(String(number), { status: 'active', name: `${kind} ${number}` })
    fleet.started = await SyncHarness.start(store, {
      vehicles: 1,
      startsAt,
      wrapped: (adapter) => ({
        ...adapter,
        readers: {
          Driver: fleet.reader('drivers', driverOf),
          Vehicle: fleet.reader('vehicles', vehicleOf),
          ...readers,
        },
        latest: {},
      }),
    })
    return fleet
  }

  idOf(kind: FilteredKind, sourceId: string): string {
    return derivedId(kind === 'vehicles' ? 'vehicle' : 'driver', this.harness.connectionId, sourceId)
  }

  /** Changes the filters as a caller does, without the jobs that follow. */
  async changeFilters(filters: ConnectionFilters | null): Promise<void> {
    const { connectionId, tools } = this.harness
    await updateConnection(tools, callerOf(await this.harness.client()), { connectionId, filters })
  }

  /** Runs the job that stamps the records. */
  stamp(signal = new AbortController().signal): Promise<void> {
    return stampVisibility(this.harness.tools, this.harness.connectionId, signal)
  }

  private reader<Normalized>(
    kind: FilteredKind,
    normalize: (sourceId: string, listed: ListedRecord) => Normalized,
  ): Reader<Normalized> {
    return {
      mode: 'full',
      schema: kind,
      read: () => Promise.resolve({ records: [...this.listed[kind]], next: null }),
      normalize: (record) => normalize(...(record as [string, ListedRecord])),
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.harness[Symbol.asyncDispose]()
  }
}

interface StartOptions {
  readonly readers?: ProviderAdapter['readers']
  readonly startsAt?: number
}

const vehicleOf = (sourceId: string, { status, name }: ListedRecord) =>
  normalizedVehicle({ sourceId, status, name })

const driverOf = (sourceId: string, { status, name }: ListedRecord): NormalizedDriver => ({
  sourceId,
  status,
  firstName: name,
  middleName: null,
  lastName: null,
  email: null,
  phone: null,
  username: null,
  license: null,
  groupSourceIds: [],
  createdAt: null,
  updatedAt: null,
})

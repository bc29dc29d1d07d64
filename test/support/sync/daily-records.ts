import type { ProviderAdapter, Reader, TimeWindow } from '../../../src/providers/provider.ts'
import { editedModels, type EditedRecord } from './edited-models.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TRIPS_PER_PAGE = 20
const DRIVE_MS = HOUR_MS
const FIX_INTERVAL_MS = 3 * MINUTE_MS
const DEGREES_PER_MS = 1 / HOUR_MS

/**
 * A provider with records of every kind of owner and read for each day. They depend on the time alone, so two fleets
 * have the same ones. `onPage` runs before each page of trips.
 */
export class DailyRecords {
  onPage: () => Promise<void> | void = () => undefined
  /** Source ids of records that the provider has removed. */
  readonly removed = new Set<string>()
  /** The provider has no earlier records. */
  keptFrom = 0

  constructor(private readonly sourceIds: readonly string[]) {}

  get readers(): ProviderAdapter['readers'] {
    const { Trip, HOSLog, FaultCodeEvent } = editedModels
    return {
      Trip: {
        mode: 'window',
        completeBy: 'vehicle',
        schema: 'trip',
        normalize: (raw) => Trip.normalize(raw as EditedRecord, null),
        read: async (_api, state, window) => {
          await this.onPage()
          const offset = Number(state?.['offset'] ?? 0)
          const records = this.recordsIn(window)
          const end = offset + TRIPS_PER_PAGE
          return { records: records.slice(offset, end), next: end < records.length ? { offset: end } : null }
        },
      },
      HOSLog: {
        mode: 'window',
        completeBy: 'driver',
        schema: 'log',
        normalize: (raw) => HOSLog.normalize(raw as EditedRecord, null),
        read: (_api, _state, window) => Promise.resolve({ records: this.recordsIn(window), next: null }),
      },
      FaultCodeEvent: {
        mode: 'feed',
        schema: 'fault',
        normalize: (raw) => FaultCodeEvent.normalize(raw as EditedRecord, null),
        read: (_api, state, { from, to }) =>
          Promise.resolve({
            records: this.recordsIn({ from: Number(state?.['until'] ?? from), to }),
            next: { until: to },
            isCaughtUp: true,
          }),
      },
      VehicleLocation: this.locations(),
    }
  }

  private recordsIn({ from, to }: TimeWindow): EditedRecord[] {
    return daysIn({ from: Math.max(from, this.keptFrom), to })
      .flatMap((startedAt) =>
        this.sourceIds.map((owner) => ({
          sourceId: `${owner}-${startedAt / DAY_MS}`,
          owner,
          startedAt,
          value: startedAt / DAY_MS,
        })),
      )
      .filter(({ sourceId }) => !this.removed.has(sourceId))
  }

  /** Each vehicle drives east for an hour a day, through several states in a month. */
  private locations(): NonNullable<ProviderAdapter['readers']['VehicleLocation']> {
    const fixesOf = (start: number) =>
      Array.from({ length: DRIVE_MS / FIX_INTERVAL_MS + 1 }, (_, index) => start + index * FIX_INTERVAL_MS)
    return {
      mode: 'window',
      schema: 'location',
      read: (_api, _state, { from, to }) =>
        Promise.resolve({
          records: daysIn({ from: from - DRIVE_MS, to })
            .flatMap(fixesOf)
            .filter((locatedAt) => locatedAt >= from && locatedAt < to)
            .flatMap((locatedAt) =>
              this.sourceIds.map((vehicleSourceId) => ({ vehicleSourceId, locatedAt })),
            ),
          next: null,
        }),
      normalize: (raw) => {
        const { vehicleSourceId, locatedAt } = raw as { vehicleSourceId: string; locatedAt: number }
        const driven = Math.floor(locatedAt / DAY_MS) % 30
        return {
          vehicleSourceId,
          driverSourceId: null,
          locatedAt,
          location: { longitude: -110 + driven + (locatedAt % DAY_MS) * DEGREES_PER_MS, latitude: 41 },
          address: null,
          headingDegrees: null,
          speedKph: null,
        }
      },
    } satisfies Reader<object> as NonNullable<ProviderAdapter['readers']['VehicleLocation']>
  }
}

function daysIn({ from, to }: TimeWindow): number[] {
  const first = Math.ceil(from / DAY_MS)
  const count = Math.max(0, Math.ceil(to / DAY_MS) - first)
  return Array.from({ length: count }, (_, index) => (first + index) * DAY_MS)
}

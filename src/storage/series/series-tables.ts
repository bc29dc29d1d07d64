import type { Instant } from '../../domain/time.ts'

/** Table of a time series, clustered by its columns `owner` (an id) and `time`. */
export interface SeriesTable {
  readonly name: string
  readonly owner: string
  readonly time: string
}

/** Tables to which RETENTION_DAYS applies: tracks, measurements, and the raw data of both. */
export const seriesTables: readonly SeriesTable[] = [
  { name: 'vehicle_locations', owner: 'vehicleId', time: 'locatedAt' },
  { name: 'vehicle_stat_logs', owner: 'vehicleId', time: 'timestamp' },
  { name: 'raw_points', owner: 'ownerId', time: 'at' },
]

const DAY_MS = 86_400_000

/** Returns the earliest time of the points that retention keeps; 0 without a retention. */
export const keptFrom = (retentionDays: number | undefined, now: Instant): Instant =>
  retentionDays === undefined ? 0 : now - retentionDays * DAY_MS

import type { Instant } from '../../domain/time.ts'

/** A table of points: clustered by whose they are and when they were, as they are read. */
export interface SeriesTable {
  readonly name: string
  readonly owner: string
  readonly time: string
}

/** What a retention setting removes when it is old: tracks, measurements, and what providers sent for them. */
export const seriesTables: readonly SeriesTable[] = [
  { name: 'vehicle_locations', owner: 'vehicleId', time: 'locatedAt' },
  { name: 'vehicle_stat_logs', owner: 'vehicleId', time: 'timestamp' },
  { name: 'raw_points', owner: 'ownerId', time: 'at' },
]

const DAY_MS = 86_400_000

/** From when on points are kept. */
export const keptFrom = (retentionDays: number | undefined, now: Instant): Instant =>
  retentionDays === undefined ? 0 : now - retentionDays * DAY_MS

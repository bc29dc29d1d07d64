import type { SyncedModel } from '../domain/record-models.ts'
import type { Instant } from '../domain/time.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import type { Sync } from '../subgraphs/connections/syncs/sync.ts'
import type { OpenedConnection } from './ingest/disconnect-unauthorized.ts'
import type { TimeSlice } from './schedule/time-slice.ts'
import type { WorkerDeps } from './sync-context.ts'
import type { SyncLease } from './sync-lease.ts'

/** One worker's run of one sync. */
export interface SyncRun extends Pick<WorkerDeps, 'db' | 'clock' | 'removalHold'>, OpenedConnection {
  readonly connection: Connection
  readonly sync: Sync
  readonly lease: SyncLease
  /** Start of the retention of time-series points. Older points are not read, because retention would delete them. */
  readonly keptFrom: Instant
  readonly timeSlice: TimeSlice
  readonly signal: AbortSignal
  /** Whether the credentials come from an OAuth consent; false until they have been opened. */
  isConsented: boolean
  /** Models that this run could not read, or that need the roster of an unread model. */
  readonly unreadModels: Set<SyncedModel>
  /** Called after a commit that may have appended events. */
  onEvents(): void
  /** Called for a record or a whole model that cannot be read. */
  onUnreadable(model: SyncedModel, error: unknown): void
}

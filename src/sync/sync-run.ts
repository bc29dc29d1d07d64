import type { SyncedModel } from '../domain/record-models.ts'
import type { Instant } from '../domain/time.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import type { Sync } from '../subgraphs/connections/syncs/sync.ts'
import type { OpenedConnection } from './ingest/disconnect-unauthorized.ts'
import type { TimeSlice } from './schedule/time-slice.ts'
import type { WorkerDeps } from './sync-context.ts'
import type { SyncLease } from './sync-lease.ts'

/** One worker's run of one sync. */
export interface SyncRun extends Pick<WorkerDeps, 'db' | 'clock'>, OpenedConnection {
  readonly connection: Connection
  readonly sync: Sync
  readonly lease: SyncLease
  /** Points of series that are older are not read: they would be removed. */
  readonly keptFrom: Instant
  readonly timeSlice: TimeSlice
  readonly signal: AbortSignal
  /** Whether its fleet consented at the provider; known once its credentials have been opened. */
  isConsented: boolean
  /** What the account may not read, or not without that. */
  readonly unreadModels: Set<SyncedModel>
  /** Called after a commit that may have announced something. */
  onEvents(): void
  /** Called for a record that cannot be read. */
  onRefused(model: SyncedModel, error: unknown): void
}

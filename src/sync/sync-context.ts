import type { EnvelopeEncryption } from '../auth/envelope-encryption.ts'
import type { OpenedConnection } from './ingest/disconnect-unauthorized.ts'
import type { Logger } from '../platform/logging/log.ts'
import type { SyncedModel } from '../domain/record-models.ts'
import type { Registry } from '../providers/registry.ts'
import type { Notifier } from '../queue/notifier.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import type { Sync } from '../subgraphs/connections/syncs/sync.ts'
import type { Clock, Instant } from '../domain/time.ts'
import type { SyncLease } from './sync-lease.ts'
import type { TimeSlice } from './schedule/time-slice.ts'

/** What the sync engine works with. */
export interface WorkerDeps {
  readonly db: Database
  readonly queue: Queue
  readonly notifier: Notifier
  readonly registry: Registry
  readonly secrets: EnvelopeEncryption
  readonly clock: Clock
  readonly log: Logger
  /** How long points of series are kept; without it for ever. */
  readonly retentionDays?: number | undefined
  /** How long the event log and its deliveries are kept. */
  readonly eventRetentionDays: number
  /** Stands in for what a sync may take at once; tests shorten it. */
  readonly timeSliceMs?: number | undefined
  /** The same for when it gives way though nobody waits. */
  readonly maxTimeSliceMs?: number | undefined
  /** The same for how long a poll may take. */
  readonly longestPollMs?: number | undefined
}

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

import type { SecretBox } from '../auth/secret-box.ts'
import type { SignedIn } from '../intake/disconnect-refused.ts'
import type { Logger } from '../log.ts'
import type { SyncedModel } from '../models.ts'
import type { Registry } from '../providers/registry.ts'
import type { Doorbell } from '../queue/doorbell.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import type { Sync } from '../subgraphs/connections/syncs/sync.ts'
import type { Clock, Instant } from '../time.ts'
import type { Lease } from './lease.ts'
import type { Turn } from './schedule/turn.ts'

/** What the sync engine works with. */
export interface SyncTools {
  readonly db: Database
  readonly queue: Queue
  readonly doorbell: Doorbell
  readonly registry: Registry
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly log: Logger
  /** How long points of series are kept; without it for ever. */
  readonly retentionDays?: number | undefined
  /** How long the event log and its deliveries are kept. */
  readonly eventRetentionDays: number
  /** Stands in for what a sync may take at once; tests shorten it. */
  readonly turnMs?: number | undefined
  /** The same for when it gives way though nobody waits. */
  readonly longestTurnMs?: number | undefined
  /** The same for how long a poll may take. */
  readonly longestPollMs?: number | undefined
}

/** One worker's run of one sync. */
export interface SyncRun extends Pick<SyncTools, 'db' | 'clock'>, SignedIn {
  readonly connection: Connection
  readonly sync: Sync
  readonly lease: Lease
  /** Points of series that are older are not read: they would be removed. */
  readonly keptFrom: Instant
  readonly turn: Turn
  readonly signal: AbortSignal
  /** Whether its fleet consented at the provider; known once its credentials have been opened. */
  isConsented: boolean
  /** What the account may not read, or not without that. */
  readonly unread: Set<SyncedModel>
  /** Called after a commit that may have announced something. */
  announced(): void
  /** Called for a record that cannot be read. */
  refused(model: SyncedModel, error: unknown): void
}

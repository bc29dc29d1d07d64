import type { EnvelopeEncryption } from '../auth/envelope-encryption.ts'
import type { Logger } from '../platform/logging/log.ts'
import type { Registry } from '../providers/registry.ts'
import type { Notifier } from '../queue/notifier.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import type { Clock } from '../domain/time.ts'

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

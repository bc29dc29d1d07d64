import type { EnvelopeEncryption } from '../auth/envelope-encryption.ts'
import type { Logger } from '../platform/logging/log.ts'
import type { Registry } from '../providers/registry.ts'
import type { Notifier } from '../queue/notifier.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import type { Renewals } from '../subgraphs/connections/credentials/renewals.ts'
import type { Clock } from '../domain/time.ts'

/** Settings of held removals. */
export interface RemovalHold {
  /** Share of the records of a model that one sync removes without a hold, in percent. */
  readonly percent: number
  /** Minimum time until a second sync removes the records. */
  readonly minutes: number
}

/** Dependencies of the sync worker. */
export interface WorkerDeps {
  readonly db: Database
  readonly queue: Queue
  readonly notifier: Notifier
  readonly registry: Registry
  readonly secrets: EnvelopeEncryption
  readonly clock: Clock
  /** Renewals of this process. */
  readonly renewals: Renewals
  readonly log: Logger
  /** Retention of time-series points, in days. If undefined, points are kept forever. */
  readonly retentionDays?: number | undefined
  /** Retention of the event log and its deliveries, in days. */
  readonly eventRetentionDays: number
  readonly removalHold: RemovalHold
  /** Retention of the request log, in days. */
  readonly requestLogDays: number
  /** Retention of purchase checks, in days. */
  readonly purchaseRetentionDays: number
  /** Replaces the default time slice of a sync; tests use a shorter one. */
  readonly timeSliceMs?: number | undefined
  /** Replaces the default maximum time slice, after which a sync yields even if no other sync waits. */
  readonly maxTimeSliceMs?: number | undefined
  /** Replaces the default time limit of a poll. */
  readonly maxPollMs?: number | undefined
}

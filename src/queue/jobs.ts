import type { LatestModel } from '../domain/record-models.ts'

/** All jobs with their payloads. A payload contains only ids and model names; the database rows are authoritative. */
export interface Jobs {
  'sync-connection': { connectionId: string; syncId: string }
  'poll-latest': { connectionId: string; model: LatestModel }
  /** Stamps the vehicles and drivers whose visibility a change of the connection's filters has changed. */
  'stamp-visibility': { connectionId: string }
  /** Enqueues the syncs and polls that are due. */
  'find-due': Record<string, never>
  /** Enqueues jobs again that the queue has lost, for example with the data of Redis. */
  reconcile: Record<string, never>
  /** Deletes time series, events, link data and quarantined records that are older than their retention. */
  retention: Record<string, never>
  /** Deletes the data of connections whose grace period is over, and the deliveries of deleted endpoints. */
  'delete-connections': Record<string, never>
  /** Compares captured purchases with the fuel levels that have arrived since. */
  'reconcile-purchases': Record<string, never>
  /** Runs the requested replays of purchases. */
  'replay-purchases': Record<string, never>
  /**
   * Removes registered writes whose process died before the commit (see `storage/in-flight-writes.ts`), and the commit
   * markers that are no longer needed (see `storage/mysql/commit-markers.ts`).
   */
  'remove-abandoned': Record<string, never>
}

export type JobName = keyof Jobs
export type JobPayload = Jobs[JobName]

export const belongsTo = (connectionId: string, payload: JobPayload): boolean =>
  'connectionId' in payload && payload.connectionId === connectionId

/** Execution policy of a job. The concurrency limit applies to one process. */
export interface JobPolicy {
  readonly concurrency: number
  /** Total number of attempts before the job has finally failed. */
  readonly attempts: number
  /** Delay before the second attempt. It doubles with each further attempt, and has jitter. */
  readonly backoffMs: number
  /** Time after which the signal of an attempt is aborted. If undefined, the duration is unlimited. */
  readonly timeoutMs?: number
}

export type JobPolicies = { readonly [J in JobName]: JobPolicy }

const SECOND = 1_000
const MINUTE = 60 * SECOND

export const jobPolicies: JobPolicies = {
  'sync-connection': { concurrency: 4, attempts: 6, backoffMs: 2 * SECOND, timeoutMs: 30 * MINUTE },
  'poll-latest': { concurrency: 16, attempts: 2, backoffMs: SECOND, timeoutMs: 30 * SECOND },
  'stamp-visibility': { concurrency: 2, attempts: 3, backoffMs: 2 * SECOND, timeoutMs: 10 * MINUTE },
  'find-due': { concurrency: 1, attempts: 1, backoffMs: SECOND, timeoutMs: MINUTE },
  reconcile: { concurrency: 1, attempts: 2, backoffMs: SECOND, timeoutMs: MINUTE },
  retention: { concurrency: 1, attempts: 2, backoffMs: MINUTE, timeoutMs: 30 * MINUTE },
  'delete-connections': { concurrency: 1, attempts: 2, backoffMs: SECOND, timeoutMs: 10 * MINUTE },
  'reconcile-purchases': { concurrency: 1, attempts: 1, backoffMs: SECOND, timeoutMs: 10 * MINUTE },
  'replay-purchases': { concurrency: 1, attempts: 1, backoffMs: SECOND, timeoutMs: 30 * MINUTE },
  'remove-abandoned': { concurrency: 1, attempts: 2, backoffMs: SECOND, timeoutMs: MINUTE },
}

/** Builds an object with one value for each job. */
export function perJob<T>(make: (name: JobName) => T): Readonly<Record<JobName, T>> {
  const names = Object.keys(jobPolicies) as JobName[]
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<JobName, T>
}

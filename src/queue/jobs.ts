import type { LatestModel } from '../domain/record-models.ts'

/** Every job there is, with what it carries. Payloads hold ids only: the rows they name are the truth. */
export interface Jobs {
  'sync-connection': { connectionId: string; syncId: string }
  'poll-latest': { connectionId: string; model: LatestModel }
  /** Puts into the queue what the schedules say is due. */
  'find-due': Record<string, never>
  /** Puts into the queue again what it has lost. */
  reconcile: Record<string, never>
  retention: Record<string, never>
  /** Deletes the data of connections whose grace period is over, and what was sent to deleted endpoints. */
  'delete-connections': Record<string, never>
  /** Forgets writes that died before their commit. */
  'remove-abandoned': Record<string, never>
}

export type JobName = keyof Jobs
export type Payload = Jobs[JobName]

export const belongsTo = (connectionId: string, payload: Payload): boolean =>
  'connectionId' in payload && payload.connectionId === connectionId

/** How a job is run. The concurrency is that of one process. */
export interface JobPolicy {
  readonly concurrency: number
  /** How often it is tried in all, before it has finally failed. */
  readonly attempts: number
  /** The delay before the second attempt; it doubles from there, with jitter. */
  readonly backoffMs: number
  /** When the signal of an attempt is aborted. Without it an attempt may last for ever. */
  readonly timeoutMs?: number
}

export type JobPolicies = { readonly [J in JobName]: JobPolicy }

const SECOND = 1_000
const MINUTE = 60 * SECOND

export const jobs: JobPolicies = {
  'sync-connection': { concurrency: 4, attempts: 6, backoffMs: 2 * SECOND, timeoutMs: 30 * MINUTE },
  'poll-latest': { concurrency: 16, attempts: 2, backoffMs: SECOND, timeoutMs: 30 * SECOND },
  'find-due': { concurrency: 1, attempts: 1, backoffMs: SECOND, timeoutMs: MINUTE },
  reconcile: { concurrency: 1, attempts: 2, backoffMs: SECOND, timeoutMs: MINUTE },
  retention: { concurrency: 1, attempts: 2, backoffMs: MINUTE, timeoutMs: 30 * MINUTE },
  'delete-connections': { concurrency: 1, attempts: 2, backoffMs: SECOND, timeoutMs: 10 * MINUTE },
  'remove-abandoned': { concurrency: 1, attempts: 2, backoffMs: SECOND, timeoutMs: MINUTE },
}

/** Makes one thing for each job. */
export function perJob<T>(make: (name: JobName) => T): Readonly<Record<JobName, T>> {
  const names = Object.keys(jobs) as JobName[]
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<JobName, T>
}

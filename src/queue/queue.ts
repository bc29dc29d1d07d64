import type { JobName, JobPolicies, Jobs, JobPayload } from './jobs.ts'
import type { JobPriority } from './priority.ts'

/**
 * Job queue that runs each job at least once. There are two implementations: in this process and on Redis. The database
 * is authoritative: after a crash or a loss of Redis data, the job `reconcile` enqueues the work that is due in the
 * database.
 */
export interface Queue {
  /** Adds a job. A job with a key is dropped if a job of the same name and key is waiting, delayed or running. */
  add<J extends JobName>(name: J, payload: Jobs[J], options?: AddOptions): Promise<void>

  /** Whether a job of this name and key is waiting, delayed or running, so that `add` would drop another one. */
  hasJob(name: JobName, key: string): Promise<boolean>

  /**
   * Schedules a job of this name and key at an interval; the first run is after one interval. The schedule replaces an
   * earlier one with the same key. If the interval is unchanged, the times of the runs stay the same, so repeated calls
   * do not delay them. A run that is due while the previous run is unfinished is skipped. Schedules in this process end
   * with the process. Schedules on Redis outlive the process, but are lost with the data of Redis. Callers must
   * therefore declare schedules at start, and repeatedly afterwards.
   */
  schedule<J extends JobName>(name: J, key: string, payload: Jobs[J], intervalMs: number): Promise<void>

  /** Ends a schedule. Jobs that it has already enqueued still run. */
  unschedule<J extends JobName>(name: J, key: string): Promise<void>

  /**
   * Removes the jobs of a connection: waiting jobs, jobs that await a retry, and records of ended jobs. Running jobs
   * stay: if there are any, it returns false and must be called again after their end.
   */
  remove(connectionId: string): Promise<boolean>

  /** Returns the number of jobs of this name that are due and not started, in all processes. */
  waiting(name: JobName): Promise<number>

  /** Starts to run jobs in this process. */
  work(handlers: Handlers): Promise<void>

  /** Readiness checks of the queue. A check rejects if this process cannot run jobs. */
  readonly checks: readonly QueueCheck[]

  /** Waits until no job is due or running. Retries and scheduled runs in the future do not count. */
  idle(): Promise<void>

  /** Counts the jobs by name and state. */
  counts(): Promise<JobCounts>

  /** Stops taking jobs, aborts running jobs, waits for them at most `closeTimeoutMs`, and frees all resources. */
  close(): Promise<void>
}

/** Numbers of jobs that wait for a worker, run, are delayed until a time, or have finally failed and are kept. */
export interface StateCounts {
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
}

export type JobCounts = Readonly<Record<JobName, StateCounts>>

export interface AddOptions {
  /** Deduplication key: see `Queue.add`. */
  readonly key?: string
  readonly delayMs?: number
  readonly priority?: JobPriority
}

export interface QueueCheck {
  readonly name: string
  run(): Promise<unknown>
}

/**
 * Handlers of the jobs. A handler should throw when its signal is aborted, because an early return counts as success.
 * An error with `retryAfterMs: number` sets the delay of the next attempt. An error with `unrecoverable: true` prevents
 * further attempts. A handler throws `JobYielded` to continue later.
 */
export type Handlers = { readonly [J in JobName]: (payload: Jobs[J], run: JobRun) => Promise<void> }

/** Handler of any job. The types of `Queue` ensure that a payload belongs to the name of its job. */
export type Handler = (payload: JobPayload, run: JobRun) => Promise<void>

/** One attempt at a job. */
export interface JobRun {
  /** Id of the job. */
  readonly id: string
  /** Number of the attempt, from 1. An attempt that ended with the death of its worker does not count. */
  readonly attempt: number
  readonly signal: AbortSignal
}

export interface QueueOptions {
  readonly onError: OnQueueError
  /** Replaces the default policies; tests use shorter delays. */
  readonly policies?: JobPolicies
  /** Time for which `close` waits for running jobs. */
  readonly closeTimeoutMs?: number
  /** Time after which a BullMQ consumer that takes no job, although jobs wait, is restarted. */
  readonly stallTimeoutMs?: number
}

/**
 * Receives every failure. `final` means that the job is not retried. Without a job id, the queue itself failed, for
 * example because Redis is unreachable. Such an error is reported at most once a minute.
 */
export type OnQueueError = (name: JobName, jobId: string | undefined, error: Error, final: boolean) => void

/** Error of a job whose worker died, or was blocked for so long that it lost the lock of the job. */
export class JobStalled extends Error {
  override readonly name = 'JobStalled'
}

export const CLOSE_TIMEOUT_MS = 10_000
export const STALL_TIMEOUT_MS = 30_000

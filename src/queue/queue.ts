import type { JobName, JobPolicies, Jobs, Payload } from './jobs.ts'
import type { JobPriority } from './priority.ts'

/**
 * Where work is left to be done later, at least once. Two runners implement it: one in this process, one on
 * Redis. Neither is the truth: after a crash or a lost Redis a reconciler adds again what the rows say is due.
 */
export interface Queue {
  /** Adds a job. With a key, a job of the same name and key that is still waiting, delayed or running absorbs it. */
  add<J extends JobName>(name: J, payload: Jobs[J], options?: AddOptions): Promise<void>

  /** Whether a job of this name and key would be absorbed now. */
  holds(name: JobName, key: string): Promise<boolean>

  /**
   * Runs a job of this name and key every so often from now on, the first time after one interval. It replaces
   * the schedule of the same key; an unchanged interval keeps its beat, so declaring a schedule again and again
   * does not put it off. A run that is due while the last one is unfinished is left out. Schedules in
   * this process end with it; those on Redis outlive it, and are gone when Redis loses its data. So declare them
   * at start and when reconciling.
   */
  every<J extends JobName>(name: J, key: string, payload: Jobs[J], intervalMs: number): Promise<void>

  /** Ends a schedule. What it has already queued still runs. */
  unschedule<J extends JobName>(name: J, key: string): Promise<void>

  /**
   * Removes what is kept of the jobs of a connection: those that wait, those that are to be tried again, and the
   * records of those that have ended. False while one of them runs: it is to be asked for once more then.
   */
  remove(connectionId: string): Promise<boolean>

  /** How many jobs of this name are due and have not been started, anywhere. */
  waiting(name: JobName): Promise<number>

  /** Starts consuming. */
  work(handlers: Handlers): Promise<void>

  /** What this process needs of the queue to do its work, each rejecting where that is not so. */
  readonly checks: readonly QueueCheck[]

  /** Waits until no job is due or running; delayed retries and schedules in the future do not count. */
  idle(): Promise<void>

  /** How many jobs of each name there are in each state. */
  counts(): Promise<JobCounts>

  /** Stops taking jobs, aborts the signal of the running ones, waits for them (bounded), frees everything. */
  close(): Promise<void>
}

/** Jobs by state: `waiting` for a free worker, `delayed` until their time, finally `failed` and kept for a look. */
export interface StateCounts {
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
}

export type JobCounts = Readonly<Record<JobName, StateCounts>>

export interface AddOptions {
  readonly key?: string
  readonly delayMs?: number
  readonly urgency?: JobPriority
}

export interface QueueCheck {
  readonly name: string
  run(): Promise<unknown>
}

/**
 * What runs each job. It should throw when its signal is aborted: an early return counts as done. An error may
 * carry `retryAfterMs: number`, the next delay, or `unrecoverable: true`, no further attempt. `JobYielded` ends a turn.
 */
export type Handlers = { readonly [J in JobName]: (payload: Jobs[J], run: JobRun) => Promise<void> }

/** A handler as the runners see it. The queue's interface has checked that payload and name belong together. */
export type Handler = (payload: Payload, run: JobRun) => Promise<void>

/** One attempt at a job. The first is attempt 1; a worker's death does not count as one. */
export interface JobRun {
  readonly id: string
  readonly attempt: number
  readonly signal: AbortSignal
}

export interface QueueOptions {
  readonly onError: OnQueueError
  /** Stands in for the table of jobs; tests shorten the delays with it. */
  readonly policies?: JobPolicies
  /** How long `close` waits for running jobs. */
  readonly closeTimeoutMs?: number
  /** How long jobs may wait while this process does none before its consumer is made anew. */
  readonly stallTimeoutMs?: number
}

/**
 * Told of every failure. `final`: the job will not be tried again. Without a job id the runner itself has
 * trouble, for instance no Redis; the same trouble is told at most once a minute.
 */
export type OnQueueError = (name: JobName, jobId: string | undefined, error: Error, final: boolean) => void

/** The worker of a job died, or stood still for so long that the job was taken from it. */
export class JobStalled extends Error {
  override readonly name = 'JobStalled'
}

export const CLOSE_TIMEOUT_MS = 10_000
export const STALL_TIMEOUT_MS = 30_000

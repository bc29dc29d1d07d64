import type { RunningJobs } from './running-jobs.ts'
import { belongsTo, type JobName, type JobPolicy, type JobPayload } from './jobs.ts'
import type { AddOptions, Handler, QueueOptions, StateCounts } from './queue.ts'
import { retryDelayMs, toError } from './retry-delay.ts'
import { JobYielded, priorityNumber } from './priority.ts'

interface Job {
  readonly id: string
  readonly payload: JobPayload
  readonly key?: string
  /** Waiting jobs start in ascending order of this number. Jobs with equal numbers start in the order of arrival. */
  priority: number
  attempt: number
}

interface Schedule {
  payload: JobPayload
  readonly intervalMs: number
  readonly timer: NodeJS.Timeout
}

/** Keeps and runs the jobs of one name in the memory of this process. */
export class InProcessWorker {
  private handler: Handler | undefined
  private jobsAdded = 0
  private readonly running = new Set<Job>()
  private waiting: Job[] = []
  private readonly delayed = new Map<Job, { readonly dueAt: number; readonly timer: NodeJS.Timeout }>()
  private readonly keysInUse = new Set<string>()
  private readonly schedules = new Map<string, Schedule>()

  constructor(
    private readonly name: JobName,
    private readonly policy: JobPolicy,
    private readonly runningJobs: RunningJobs,
    private readonly options: QueueOptions,
    private readonly onSettled: () => void,
  ) {}

  get waitingJobs(): number {
    return this.waiting.length
  }

  add(payload: JobPayload, { key, delayMs = 0, priority: urgency }: AddOptions): void {
    if (key !== undefined) {
      if (this.keysInUse.has(key)) return
      this.keysInUse.add(key)
    }

    this.jobsAdded += 1
    const priority = urgency === undefined ? 0 : priorityNumber(urgency, Date.now())
    this.enqueue({ id: String(this.jobsAdded), payload, key, priority, attempt: 1 }, delayMs)
  }

  holds(key: string): boolean {
    return this.keysInUse.has(key)
  }

  schedule(key: string, payload: JobPayload, intervalMs: number): void {
    const current = this.schedules.get(key)
    if (current?.intervalMs === intervalMs) {
      current.payload = payload
      return
    }

    this.unschedule(key)
    const timer = setInterval(() => this.add(schedule.payload, { key }), timerMs(intervalMs)).unref()
    const schedule = { payload, intervalMs, timer }
    this.schedules.set(key, schedule)
  }

  unschedule(key: string): void {
    clearInterval(this.schedules.get(key)?.timer)
    this.schedules.delete(key)
  }

  work(handler: Handler): void {
    this.handler = handler
    this.startDue()
  }

  /** Whether no job is due or running. A delayed job counts as due from its time on, even if its timer is late. */
  isIdle(): boolean {
    const now = Date.now()
    const isAnyDue = [...this.delayed.values()].some(({ dueAt }) => dueAt <= now)
    return this.running.size === 0 && this.waiting.length === 0 && !isAnyDue
  }

  /** Counts the jobs. `failed` is 0, because a job that has finally failed is reported and not kept. */
  counts(): StateCounts {
    return { waiting: this.waiting.length, active: this.running.size, delayed: this.delayed.size, failed: 0 }
  }

  /** Removes the jobs of a connection, except running ones. Returns the number of running ones. */
  remove(connectionId: string): number {
    const isOfConnection = (job: Job) => belongsTo(connectionId, job.payload)
    for (const [job, { timer }] of [...this.delayed].filter(([delayedJob]) => isOfConnection(delayedJob))) {
      clearTimeout(timer)
      this.delayed.delete(job)
      this.releaseKey(job)
    }
    this.waiting.filter(isOfConnection).forEach((job) => this.releaseKey(job))
    this.waiting = this.waiting.filter((job) => !isOfConnection(job))
    return [...this.running].filter(isOfConnection).length
  }

  /** Drops the schedules and all jobs that have not started. */
  stop(): void {
    this.handler = undefined
    this.waiting = []
    for (const { timer } of this.delayed.values()) clearTimeout(timer)
    this.delayed.clear()
    for (const key of this.schedules.keys()) this.unschedule(key)
  }

  private enqueue(job: Job, delayMs: number): void {
    if (delayMs > 0) {
      const timer = setTimeout(() => this.promote(job), timerMs(delayMs)).unref()
      this.delayed.set(job, { dueAt: Date.now() + delayMs, timer })
      return
    }

    const predecessor = this.waiting.findLastIndex(({ priority }) => priority <= job.priority)
    this.waiting.splice(predecessor + 1, 0, job)
    this.startDue()
  }

  /** Makes a delayed job due. */
  private promote(job: Job): void {
    this.delayed.delete(job)
    this.enqueue(job, 0)
  }

  private startDue(): void {
    while (this.handler && this.running.size < this.policy.concurrency) {
      const job = this.waiting.shift()
      if (!job) return
      void this.run(job, this.handler)
    }
  }

  private async run(job: Job, handler: Handler): Promise<void> {
    this.running.add(job)
    try {
      const { id, attempt, payload } = job
      await this.runningJobs.run({ id, attempt }, this.policy.timeoutMs, (run) => handler(payload, run))
      this.releaseKey(job)
    } catch (error) {
      this.fail(job, error)
    } finally {
      this.running.delete(job)
      this.startDue()
      this.onSettled()
    }
  }

  private fail(job: Job, cause: unknown): void {
    if (!this.handler) return // The queue is closing and has aborted the attempt, so it does not count as failed.
    if (cause instanceof JobYielded) {
      job.priority = priorityNumber('continued', Date.now())
      return this.enqueue(job, 0)
    }
    const error = toError(cause)
    const delayMs = retryDelayMs(this.policy, job.attempt, error)
    this.options.onError(this.name, job.id, error, delayMs === undefined)

    if (delayMs === undefined) return this.releaseKey(job)
    job.attempt += 1
    this.enqueue(job, delayMs)
  }

  private releaseKey({ key }: Job): void {
    if (key !== undefined) this.keysInUse.delete(key)
  }
}

/** Returns a delay capped to 31 bits: Node fires a timer with a larger delay at once. */
function timerMs(delayMs: number): number {
  return Math.min(delayMs, 2 ** 31 - 1)
}

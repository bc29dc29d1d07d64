import { Queue as BullQueue, WaitingError, Worker, type Job, type JobsOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import type { RunningJobs } from '../running-jobs.ts'
import { settledWithin } from '../../platform/lifecycle/timeout.ts'
import { removeJobs, type StoredJob } from './remove-jobs.ts'
import { belongsTo, type JobName, type JobPolicy, type JobPayload } from '../jobs.ts'
import { type AddOptions, type Handler, JobStalled, type QueueOptions, type StateCounts } from '../queue.ts'
import { oncePerMinute, withRedis } from '../../platform/redis/redis-connection.ts'
import { retryDelayMs, toError } from '../retry-delay.ts'
import { StallDetector } from './stall-detector.ts'
import { JobYielded, priorityNumber } from '../priority.ts'

/**
 * Settings of the locks on running jobs, times in ms. If a worker dies, the lock of its job expires after
 * `lockDuration`. BullMQ looks for such jobs at intervals of `stalledInterval`. One of the next two checks finds the
 * job, so another worker resumes it after about 10 s. BullMQ renews a lock after half of `lockDuration`, so a process
 * that is blocked for longer than that can lose its locks too. A job survives the death of five workers; the sixth
 * death fails it.
 */
export const lockSettings = {
  lockDuration: 6_000,
  stalledInterval: 2_000,
  maxStalledCount: 5,
} as const

/** Name of the BullMQ jobs that only add another job. See `schedule`. */
const TICK = 'tick'
const STOP_TIMEOUT_MS = 2_000

export interface BullmqWorkerOptions extends Pick<QueueOptions, 'onError' | 'stallTimeoutMs'> {
  readonly policy: JobPolicy
  readonly prefix: string
  readonly producer: Redis
  readonly runningJobs: RunningJobs
}

/** Jobs of one name: one BullMQ queue and, after `work`, one BullMQ worker. */
export class BullmqWorker {
  private readonly queue: BullQueue<StoredJob, void, string>
  private readonly reportError: (error: Error) => void
  private worker: Worker<StoredJob, void, string> | undefined
  private runningCount = 0
  /** Number of jobs that this process has taken since its start. */
  private takenCount = 0
  private closing = false
  private stallDetector: StallDetector | undefined

  constructor(
    private readonly name: JobName,
    private readonly options: BullmqWorkerOptions,
  ) {
    const { prefix, producer } = options
    this.queue = new BullQueue(name, { prefix, connection: producer, skipVersionCheck: true })
    this.reportError = oncePerMinute((error) => {
      if (!this.closing) options.onError(name, undefined, error, false)
    })
    this.queue.on('error', this.reportError)
  }

  /** Adds a job. BullMQ frees its deduplication key when the job has completed or finally failed, not at a retry. */
  async add(payload: JobPayload, { key, delayMs, priority: urgency }: AddOptions): Promise<void> {
    const deduplication = key === undefined ? undefined : { id: key }
    const priority = urgency === undefined ? undefined : priorityNumber(urgency, Date.now())
    const options = { ...this.jobOptions(), delay: delayMs, deduplication, priority }
    await withRedis(this.options.producer, () => this.queue.add(this.name, { payload }, options))
  }

  async holds(key: string): Promise<boolean> {
    const id = await withRedis(this.options.producer, () => this.queue.getDeduplicationJobId(key))
    return id !== null
  }

  /**
   * Schedules a job at an interval. The jobs of the BullMQ scheduler are ticks that only add the job with the key.
   * BullMQ starts the next interval when a scheduled job starts, so without ticks a slow job would overlap with its
   * successor.
   */
  async schedule(key: string, payload: JobPayload, intervalMs: number): Promise<void> {
    const repeat = { every: intervalMs, startDate: Date.now() + intervalMs }
    const tick = {
      name: TICK,
      data: { payload, key },
      opts: { ...this.jobOptions(), removeOnComplete: true },
    }
    await withRedis(this.options.producer, () => this.queue.upsertJobScheduler(key, repeat, tick))
  }

  async unschedule(key: string): Promise<void> {
    await withRedis(this.options.producer, () => this.queue.removeJobScheduler(key))
  }

  /** Removes the jobs of a connection from Redis. Returns the number of its running jobs. */
  remove(connectionId: string): Promise<number> {
    return removeJobs(this.queue, this.options.producer, (stored) => belongsTo(connectionId, stored.payload))
  }

  /** Returns the number of jobs that are due and not started, in all processes. */
  async waiting(): Promise<number> {
    const { wait, prioritized } = this.keys
    const { producer } = this.options
    const counts = await withRedis(producer, () => producer.multi().llen(wait).zcard(prioritized).exec())
    return (counts ?? []).reduce((sum, [, count]) => sum + Number(count), 0)
  }

  work(handler: Handler, connection: Redis): void {
    this.worker = this.consumer(handler, connection)
    this.stallDetector = new StallDetector(this.options.stallTimeoutMs, {
      waiting: () => this.waiting(),
      running: () => this.runningCount,
      taken: () => this.takenCount,
      restart: (forMs) => this.restart(forMs, handler, connection),
    })
  }

  /** Rejects if jobs of this name have waited for some time while this process neither took nor ran one. */
  async requireNotStalled(): Promise<void> {
    if (this.stallDetector?.isStalled)
      throw new Error(`The queue ${this.name} is stalled: jobs wait, but this process takes none`)
  }

  /**
   * Stops taking jobs. It also ends the worker's blocking read of the queue. Otherwise that read could take a job that
   * a handler returns to the queue because this process is closing.
   */
  async stop(): Promise<void> {
    this.closing = true
    this.stallDetector?.close()
    void this.worker?.close()
    await settledWithin(STOP_TIMEOUT_MS, [this.worker?.getBackend().disconnectBlocking()])
  }

  /** Disconnects from Redis, even if jobs still run. Another worker takes such a job after its lock has expired. */
  async release(): Promise<void> {
    const stopped = await settledWithin(STOP_TIMEOUT_MS, [this.worker?.close()])
    if (!stopped) await settledWithin(STOP_TIMEOUT_MS, [this.worker?.getBackend().close(true)])
    await settledWithin(STOP_TIMEOUT_MS, [this.queue.close()])
  }

  /** Redis keys that show whether a job is due or running. */
  get keys() {
    return {
      wait: this.queue.toKey('wait'),
      prioritized: this.queue.toKey('prioritized'),
      active: this.queue.toKey('active'),
      delayed: this.queue.toKey('delayed'),
    }
  }

  async counts(): Promise<StateCounts> {
    const query = () => this.queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed')
    const counts = await withRedis(this.options.producer, query)
    const countOf = (state: string) => Number(counts[state] ?? 0)
    return {
      waiting: countOf('wait') + countOf('prioritized'),
      active: countOf('active'),
      delayed: countOf('delayed'),
      failed: countOf('failed'),
    }
  }

  private jobOptions(): JobsOptions {
    return {
      attempts: this.options.policy.attempts,
      backoff: { type: 'custom' },
      removeOnComplete: { count: 100, age: 60 * 60 },
      removeOnFail: { count: 1_000, age: 7 * 24 * 60 * 60 },
    }
  }

  private consumer(handler: Handler, connection: Redis): Worker<StoredJob, void, string> {
    const { prefix, policy } = this.options
    const worker = new Worker<StoredJob, void, string>(
      this.name,
      (job, token) => this.counted(() => this.run(job, token, handler)),
      {
        ...lockSettings,
        connection,
        prefix,
        concurrency: policy.concurrency,
        runRetryDelay: 1_000,
        // For BullMQ, -1 means that there is no further attempt.
        settings: { backoffStrategy: (attempt, _type, error) => retryDelayMs(policy, attempt, error) ?? -1 },
      },
    )
    this.listen(worker)
    return worker
  }

  /**
   * Replaces the consumer, because a BullMQ consumer can stop taking jobs without an error, and then never recovers.
   */
  private restart(forMs: number, handler: Handler, connection: Redis): void {
    const old = this.worker
    const seconds = Math.round(forMs / 1000)
    const error = new Error(`Jobs waited for ${seconds} s and the consumer took none, so it is restarted`)
    this.options.onError(this.name, undefined, error, false)
    this.worker = this.consumer(handler, connection)
    void settledWithin(STOP_TIMEOUT_MS, [old?.close(true)])
  }

  private async counted(work: () => Promise<void>): Promise<void> {
    this.runningCount++
    this.takenCount++
    try {
      await work()
    } finally {
      this.runningCount--
    }
  }

  private async run(
    job: Job<StoredJob, void, string>,
    token: string | undefined,
    handler: Handler,
  ): Promise<void> {
    if (this.closing) return returnJob(job, token)
    const { payload, key } = job.data
    if (job.name === TICK) return this.add(payload, { key })

    const attempt = { id: job.id ?? '', attempt: job.attemptsMade + 1 }
    try {
      await this.options.runningJobs.run(attempt, this.options.policy.timeoutMs, (run) =>
        handler(payload, run),
      )
    } catch (error) {
      if (this.closing) return returnJob(job, token)
      if (error instanceof JobYielded) return yieldJob(job, token)
      throw toError(error)
    }
  }

  private listen(worker: Worker<StoredJob, void, string>): void {
    const { runningJobs, onError } = this.options

    worker.on('failed', (job, error) => onError(this.name, job?.id, error, job?.finishedOn !== undefined))
    worker.on('stalled', (id) =>
      onError(this.name, id, new JobStalled('The worker of the job died or was blocked'), false),
    )
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids)
        runningJobs.abort(id, new Error('The lock of the job was lost: another worker may run it'))
    })
    worker.on('error', this.reportError)
  }
}

/** Returns the job to the queue with the priority of a continued job, behind waiting jobs. */
async function yieldJob(job: Job<StoredJob, void, string>, token: string | undefined): Promise<void> {
  await job.changePriority({ priority: priorityNumber('continued', Date.now()) })
  return returnJob(job, token)
}

/**
 * Returns the job to the queue, where any worker can take it at once. This run does not count as an attempt. The error
 * prevents BullMQ from completing the job.
 */
async function returnJob(job: Job<StoredJob, void, string>, token: string | undefined): Promise<void> {
  await job.moveToWait(token)
  throw new WaitingError()
}

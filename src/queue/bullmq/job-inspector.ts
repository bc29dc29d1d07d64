import { Queue as BullQueue, type Job } from 'bullmq'
import { type JobName, perJob } from '../jobs.ts'
import { producerConnection, withRedis } from '../../platform/redis/redis-connection.ts'

export interface StoredJobCounts {
  readonly job: JobName
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
  readonly completed: number
}

export interface FailedJob {
  readonly id: string
  readonly job: JobName
  readonly payload: unknown
  readonly attempts: number
  readonly failedAt: number | null
  readonly error: string
}

/** Gives operators access to the jobs that a service keeps in Redis. It runs no jobs. */
export interface JobInspector {
  counts(): Promise<StoredJobCounts[]>
  /** Returns failed jobs, newest first, at most `limit` of each name. */
  failed(names: readonly JobName[], limit: number): Promise<FailedJob[]>
  /** Retries the failed job with the id; if no id is given, all failed jobs. Returns their number. */
  retry(names: readonly JobName[], id?: string): Promise<number>
  /**
   * Deletes the failed job with the id; if no id is given, all failed jobs. Returns their number. The job `reconcile`
   * enqueues their work again if it is still due in the database.
   */
  clear(names: readonly JobName[], id?: string): Promise<number>
  close(): Promise<void>
}

export function createJobInspector({ redisUrl, prefix }: { redisUrl: string; prefix: string }): JobInspector {
  const redis = producerConnection(redisUrl)
  const queues = perJob((name) => new BullQueue(name, { prefix, connection: redis, skipVersionCheck: true }))
  // Without a listener, the events would throw. The awaited commands report the errors.
  for (const queue of Object.values(queues)) queue.on('error', () => undefined)
  const run = <T>(command: () => Promise<T>) => withRedis(redis, command)

  async function forEachFailed(
    names: readonly JobName[],
    id: string | undefined,
    act: (job: Job) => Promise<void>,
  ): Promise<number> {
    let count = 0
    for (const name of names) {
      const jobs = await run(() => queues[name].getFailed(0, -1))
      for (const job of jobs.filter((failed) => id === undefined || failed.id === id)) {
        await run(() => act(job))
        count++
      }
    }
    return count
  }

  return {
    counts: () => Promise.all(Object.values(perJob((name) => run(() => countsOf(name, queues[name]))))),
    async failed(names, limit) {
      const pages = names.map((name) => run(() => queues[name].getFailed(0, limit - 1)))
      const found = (await Promise.all(pages)).flatMap((jobs, index) =>
        jobs.map((job) => failedJob(names[index] as JobName, job)),
      )
      return found.sort((a, b) => (b.failedAt ?? 0) - (a.failedAt ?? 0))
    },
    retry: (names, id) => forEachFailed(names, id, (job) => job.retry('failed')),
    clear: (names, id) => forEachFailed(names, id, (job) => job.remove()),
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()))
      redis.disconnect()
    },
  }
}

async function countsOf(job: JobName, queue: BullQueue): Promise<StoredJobCounts> {
  const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'] as const
  const counts = await queue.getJobCounts(...states)
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0, completed = 0 } = counts
  return { job, waiting: waiting + prioritized, active, delayed, failed, completed }
}

const failedJob = (name: JobName, { id, data, attemptsMade, finishedOn, failedReason }: Job): FailedJob => ({
  id: String(id),
  job: name,
  payload: (data as { payload: unknown }).payload,
  attempts: attemptsMade,
  failedAt: finishedOn ?? null,
  error: failedReason,
})

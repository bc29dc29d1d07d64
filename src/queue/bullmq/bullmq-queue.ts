import { Unavailable } from '../../platform/lifecycle/unavailable.ts'
import type { Redis } from 'ioredis'
import { setTimeout as sleep } from 'node:timers/promises'
import { RunningJobs } from '../running-jobs.ts'
import { BullmqWorker } from './bullmq-worker.ts'
import { requireNoEviction } from './require-noeviction.ts'
import { jobPolicies, perJob, type JobName, type Jobs } from '../jobs.ts'
import {
  CLOSE_TIMEOUT_MS,
  type AddOptions,
  type Handler,
  type Handlers,
  type JobCounts,
  type Queue,
  type QueueCheck,
  type QueueOptions,
  type StateCounts,
} from '../queue.ts'
import {
  consumerConnection,
  producerConnection,
  requireRedisWrite,
  withRedis,
} from '../../platform/redis/redis-connection.ts'

export interface BullmqQueueOptions extends QueueOptions {
  readonly redisUrl: string
  /** Prefix of every Redis key. Services that share a Redis need different prefixes. */
  readonly prefix: string
}

/** Creates a queue on Redis. All processes with the same prefix share it. */
export function bullmqQueue(options: BullmqQueueOptions): Queue {
  return new BullmqQueue(options)
}

class BullmqQueue implements Queue {
  private readonly runningJobs = new RunningJobs()
  private readonly producer: Redis
  private readonly workers: Readonly<Record<JobName, BullmqWorker>>
  private consumer: Redis | undefined
  private closing: Promise<void> | undefined

  constructor(private readonly options: BullmqQueueOptions) {
    const { redisUrl, prefix, onError, stallTimeoutMs, policies = jobPolicies } = options
    const producer = producerConnection(redisUrl)
    const { runningJobs } = this
    this.producer = producer
    this.workers = perJob(
      (name) =>
        new BullmqWorker(name, {
          policy: policies[name],
          prefix,
          producer,
          runningJobs,
          onError,
          stallTimeoutMs,
        }),
    )
  }

  async add<J extends JobName>(name: J, payload: Jobs[J], options: AddOptions = {}): Promise<void> {
    this.refuseWhenClosed()
    await this.workers[name].add(payload, options)
  }

  async hasJob(name: JobName, key: string): Promise<boolean> {
    this.refuseWhenClosed()
    return this.workers[name].holds(key)
  }

  async schedule<J extends JobName>(
    name: J,
    key: string,
    payload: Jobs[J],
    intervalMs: number,
  ): Promise<void> {
    this.refuseWhenClosed()
    await this.workers[name].schedule(key, payload, intervalMs)
  }

  async unschedule<J extends JobName>(name: J, key: string): Promise<void> {
    this.refuseWhenClosed()
    await this.workers[name].unschedule(key)
  }

  async remove(connectionId: string): Promise<boolean> {
    this.refuseWhenClosed()
    const runningCounts = await Promise.all(
      Object.values(this.workers).map((worker) => worker.remove(connectionId)),
    )
    return runningCounts.every((count) => count === 0)
  }

  async waiting(name: JobName): Promise<number> {
    this.refuseWhenClosed()
    return this.workers[name].waiting()
  }

  get checks(): readonly QueueCheck[] {
    return [
      { name: 'redis', run: () => requireRedisWrite(this.producer, this.options.prefix) },
      { name: 'redis maxmemory-policy', run: () => requireNoEviction(this.producer) },
      ...Object.entries(this.workers).map(([name, worker]) => ({
        name: `jobs ${name}`,
        run: () => worker.requireNotStalled(),
      })),
    ]
  }

  async work(handlers: Handlers): Promise<void> {
    this.refuseWhenClosed()
    const consumer = consumerConnection(this.options.redisUrl)
    this.consumer = consumer
    perJob((name) => this.workers[name].work(handlers[name] as Handler, consumer))
  }

  async idle(): Promise<void> {
    while (await this.hasWork()) await sleep(20)
  }

  async counts(): Promise<JobCounts> {
    const names = Object.keys(this.workers) as JobName[]
    const counted = await Promise.all(
      names.map(async (name) => [name, await this.workers[name].counts()] as const),
    )
    return Object.fromEntries(counted) as Record<JobName, StateCounts>
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown()
    return this.closing
  }

  private async shutDown(): Promise<void> {
    const workers = Object.values(this.workers)
    const timeoutMs = this.options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS

    await Promise.all(workers.map((worker) => worker.stop()))
    await this.runningJobs.stop(timeoutMs, new Unavailable('The queue is closing'))
    await Promise.all(workers.map((worker) => worker.release()))
    this.consumer?.disconnect()
    this.producer.disconnect()
  }

  /**
   * Whether a job is due or running in any queue. It checks all queues in one transaction, so that it cannot miss a job
   * that another job adds at its end.
   */
  private async hasWork(): Promise<boolean> {
    const commands = this.producer.multi()
    for (const { keys } of Object.values(this.workers)) {
      commands.llen(keys.wait).zcard(keys.prioritized).llen(keys.active)
      commands.zcount(keys.delayed, '-inf', dueScore(Date.now()))
    }

    const counts = await withRedis(this.producer, () => commands.exec())
    return (counts ?? []).some(([error, count]) => error !== null || Number(count) > 0)
  }

  private refuseWhenClosed(): void {
    if (this.closing) throw new Unavailable('The queue is closed')
  }
}

/** Returns the highest score of a due job. BullMQ scores a delayed job by its time in ms times 4096, plus a counter. */
function dueScore(now: number): number {
  return now * 0x1000 + 0xfff
}

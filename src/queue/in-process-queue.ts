import { Unavailable } from '../platform/lifecycle/unavailable.ts'
import { RunningJobs } from './running-jobs.ts'
import { InProcessWorker } from './in-process-worker.ts'
import { jobPolicies, perJob, type JobName, type Jobs } from './jobs.ts'
import {
  CLOSE_TIMEOUT_MS,
  type AddOptions,
  type Handler,
  type Handlers,
  type JobCounts,
  type Queue,
  type QueueOptions,
} from './queue.ts'

/**
 * Creates a queue in the memory of this process, for a service with one process. Its jobs are lost with the process.
 */
export function inProcessQueue(options: QueueOptions): Queue {
  return new InProcessQueue(options)
}

class InProcessQueue implements Queue {
  private readonly runningJobs = new RunningJobs()
  private readonly workers: Readonly<Record<JobName, InProcessWorker>>
  private idleWaiters: (() => void)[] = []
  private closed = false

  constructor(private readonly options: QueueOptions) {
    const policies = options.policies ?? jobPolicies
    this.workers = perJob(
      (name) => new InProcessWorker(name, policies[name], this.runningJobs, options, () => this.wakeIdle()),
    )
  }

  async add<J extends JobName>(name: J, payload: Jobs[J], options: AddOptions = {}): Promise<void> {
    this.refuseWhenClosed()
    this.workers[name].add(payload, options)
  }

  async hasJob(name: JobName, key: string): Promise<boolean> {
    return this.workers[name].holds(key)
  }

  async schedule<J extends JobName>(
    name: J,
    key: string,
    payload: Jobs[J],
    intervalMs: number,
  ): Promise<void> {
    this.refuseWhenClosed()
    this.workers[name].schedule(key, payload, intervalMs)
  }

  async unschedule<J extends JobName>(name: J, key: string): Promise<void> {
    this.workers[name].unschedule(key)
  }

  async remove(connectionId: string): Promise<boolean> {
    const runningCounts = Object.values(this.workers).map((worker) => worker.remove(connectionId))
    return runningCounts.every((count) => count === 0)
  }

  async waiting(name: JobName): Promise<number> {
    return this.workers[name].waitingJobs
  }

  /** Empty, because a queue in this process depends on no server. */
  readonly checks = []

  async work(handlers: Handlers): Promise<void> {
    this.refuseWhenClosed()
    perJob((name) => this.workers[name].work(handlers[name] as Handler))
  }

  async idle(): Promise<void> {
    if (this.isIdle()) return
    await new Promise<void>((resolve) => {
      this.idleWaiters.push(resolve)
    })
  }

  async counts(): Promise<JobCounts> {
    return perJob((name) => this.workers[name].counts())
  }

  async close(): Promise<void> {
    this.closed = true
    for (const worker of Object.values(this.workers)) worker.stop()
    await this.runningJobs.stop(
      this.options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS,
      new Unavailable('The queue is closing'),
    )
    this.wakeIdle()
  }

  private wakeIdle(): void {
    if (this.idleWaiters.length === 0 || !this.isIdle()) return
    const waiters = this.idleWaiters
    this.idleWaiters = []
    for (const wake of waiters) wake()
  }

  private isIdle(): boolean {
    return Object.values(this.workers).every((worker) => worker.isIdle())
  }

  private refuseWhenClosed(): void {
    if (this.closed) throw new Unavailable('The queue is closed')
  }
}

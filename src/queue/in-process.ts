import { Attempts } from './attempts.ts'
import { InProcessLane } from './in-process-lane.ts'
import { jobs, perJob, type JobName, type Jobs } from './jobs.ts'
import {
  CLOSE_TIMEOUT_MS,
  QueueUnavailable,
  type AddOptions,
  type Handler,
  type Handlers,
  type JobCounts,
  type Queue,
  type QueueOptions,
} from './queue.ts'

/** A queue in the memory of this process, for a service that is one process. Its jobs end with it. */
export function inProcessQueue(options: QueueOptions): Queue {
  return new InProcessQueue(options)
}

class InProcessQueue implements Queue {
  private readonly attempts = new Attempts()
  private readonly lanes: Readonly<Record<JobName, InProcessLane>>
  private idleWaiters: (() => void)[] = []
  private closed = false

  constructor(private readonly options: QueueOptions) {
    const policies = options.policies ?? jobs
    this.lanes = perJob(
      (name) => new InProcessLane(name, policies[name], this.attempts, options, () => this.wakeIdle()),
    )
  }

  async add<J extends JobName>(name: J, payload: Jobs[J], options: AddOptions = {}): Promise<void> {
    this.refuseWhenClosed()
    this.lanes[name].add(payload, options)
  }

  async holds(name: JobName, key: string): Promise<boolean> {
    return this.lanes[name].holds(key)
  }

  async every<J extends JobName>(name: J, key: string, payload: Jobs[J], intervalMs: number): Promise<void> {
    this.refuseWhenClosed()
    this.lanes[name].every(key, payload, intervalMs)
  }

  async unschedule<J extends JobName>(name: J, key: string): Promise<void> {
    this.lanes[name].unschedule(key)
  }

  async forget(connectionId: string): Promise<boolean> {
    const left = Object.values(this.lanes).map((lane) => lane.forget(connectionId))
    return left.every((count) => count === 0)
  }

  async waiting(name: JobName): Promise<number> {
    return this.lanes[name].waitingJobs
  }

  /** What is in this process needs nothing else. */
  readonly checks = []

  async work(handlers: Handlers): Promise<void> {
    this.refuseWhenClosed()
    perJob((name) => this.lanes[name].work(handlers[name] as Handler))
  }

  async idle(): Promise<void> {
    if (this.isIdle()) return
    await new Promise<void>((resolve) => {
      this.idleWaiters.push(resolve)
    })
  }

  async counts(): Promise<JobCounts> {
    return perJob((name) => this.lanes[name].counts())
  }

  async close(): Promise<void> {
    this.closed = true
    for (const lane of Object.values(this.lanes)) lane.stop()
    await this.attempts.stop(
      this.options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS,
      new QueueUnavailable('The queue is closing'),
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
    return Object.values(this.lanes).every((lane) => lane.isIdle())
  }

  private refuseWhenClosed(): void {
    if (this.closed) throw new QueueUnavailable('The queue is closed')
  }
}

import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { bullmqQueue, type BullmqQueueOptions } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import { type JobName, type JobPolicies, jobs, perJob } from '../../../src/queue/jobs.ts'
import type { Handlers, Queue } from '../../../src/queue/queue.ts'

/** Where the machine has no Redis, what needs one is left out; the setup of the suites has said so loudly. */
export const withRedis = process.env['REDIS_URL'] !== undefined
export const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** How long a test waits for something to happen: much longer than it takes on a busy machine. */
export const inTime = { timeout: 60_000, interval: 10 }

/** The delays of the real table are minutes; these are the same rules in milliseconds. */
export const fastPolicies: JobPolicies = {
  ...jobs,
  'sync-connection': { concurrency: 2, attempts: 3, backoffMs: 100 },
  'poll-latest': { concurrency: 16, attempts: 1, backoffMs: 10, timeoutMs: 200 },
  reconcile: { concurrency: 1, attempts: 2, backoffMs: 60_000 },
  retention: { concurrency: 1, attempts: 2, backoffMs: 60_000 },
}

export interface Failure {
  readonly name: JobName
  readonly jobId: string | undefined
  readonly message: string
  readonly final: boolean
}

export interface QueueHarness extends AsyncDisposable {
  readonly queue: Queue
  /** What the queue reported about jobs, oldest first. */
  readonly failures: Failure[]
}

type CreateHarness = (options?: Partial<BullmqQueueOptions>) => QueueHarness

export const inProcessHarness: CreateHarness = (options) => {
  const failures: Failure[] = []
  const queue = inProcessQueue({ policies: fastPolicies, onError: noteIn(failures), ...options })
  return { queue, failures, [Symbol.asyncDispose]: () => queue.close() }
}

export const bullmqHarness: CreateHarness = (options) => {
  const failures: Failure[] = []
  const prefix = options?.prefix ?? randomPrefix()
  const onError = noteIn(failures)
  const queue = bullmqQueue({ redisUrl, policies: fastPolicies, onError, ...options, prefix })
  const dispose = async () => {
    await queue.close()
    await removeKeys(prefix)
  }
  return { queue, failures, [Symbol.asyncDispose]: dispose }
}

export const randomPrefix = () => `odograph-test-${randomUUID()}`

export async function removeKeys(prefix: string): Promise<void> {
  const redis = new Redis(redisUrl)
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await redis.del(...(keys as string[]))
  }
  redis.disconnect()
}

const nothing = async () => {}

/** Handlers that do nothing but what the test is about. */
export function handlers(some: Partial<Handlers>): Handlers {
  return { ...perJob(() => nothing), ...some }
}

/** Something a test opens to let a handler go on. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

function noteIn(failures: Failure[]) {
  return (name: JobName, jobId: string | undefined, error: Error, final: boolean) => {
    failures.push({ name, jobId, message: error.message, final })
  }
}

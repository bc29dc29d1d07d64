import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { bullmqQueue, type BullmqQueueOptions } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import { type JobName, type JobPolicies, jobPolicies, perJob } from '../../../src/queue/jobs.ts'
import type { Handlers, Queue } from '../../../src/queue/queue.ts'

/** Without Redis the tests that need it are skipped; the global setup prints a warning. */
export const withRedis = process.env['REDIS_URL'] !== undefined
export const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** Timeout for an event: far more than it takes on a busy machine. */
export const inTime = { timeout: 60_000, interval: 10 }

/** The same retry rules in milliseconds; the production delays are minutes. */
export const fastPolicies: JobPolicies = {
  ...jobPolicies,
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
  /** Job failures that the queue reported, oldest first. */
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

/** Returns handlers that do nothing, except the given ones. */
export function handlers(some: Partial<Handlers>): Handlers {
  return { ...perJob(() => nothing), ...some }
}

/** Creates a gate that holds a handler until the test opens it. */
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

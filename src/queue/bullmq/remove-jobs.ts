import type { JobType, Queue as BullQueue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Payload } from '../jobs.ts'
import { withRedis } from '../../platform/redis/redis-connection.ts'

/** What BullMQ keeps of a job. A tick of a schedule carries the key of the job that it adds. */
export interface StoredJob {
  readonly payload: Payload
  readonly key?: string
}

const EVERY_STATE: JobType[] = ['wait', 'prioritized', 'delayed', 'active', 'completed', 'failed']
const AT_ONCE = 500

/**
 * Removes all that Redis keeps of some jobs, with their keys and with what tells of jobs: that names the keys, and
 * nobody reads it. Gives how many of them run: those have to end first.
 */
export async function removeJobs(
  queue: BullQueue<StoredJob, void, string>,
  redis: Redis,
  are: (kept: StoredJob) => boolean,
): Promise<number> {
  const ids = await withRedis(redis, () => queue.getRanges(EVERY_STATE, 0, -1))
  let running = 0
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const kept = await withRedis(redis, () =>
      Promise.all(some.map((id) => redis.hget(queue.toKey(id), 'data'))),
    )
    const its = some.filter((_, index) => are(JSON.parse(kept[index] ?? '{"payload":{}}') as StoredJob))
    const removed = await withRedis(redis, () => Promise.all(its.map((id) => queue.remove(id))))
    running += removed.filter((count) => count === 0).length
  }
  await withRedis(redis, () => redis.xtrim(queue.toKey('events'), 'MAXLEN', 0))
  return running
}

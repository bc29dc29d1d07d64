import type { JobType, Queue as BullQueue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { JobPayload } from '../jobs.ts'
import { withRedis } from '../../platform/redis/redis-connection.ts'

/** Job data in Redis. Only the tick of a schedule has a `key`: the key of the job that the tick adds. */
export interface StoredJob {
  readonly payload: JobPayload
  readonly key?: string
}

const EVERY_STATE: JobType[] = ['wait', 'prioritized', 'delayed', 'active', 'completed', 'failed']
const BATCH_SIZE = 500

/**
 * Removes matching jobs and their deduplication keys from Redis. It also empties the event stream of the queue, which
 * contains these keys and has no reader. Running jobs stay, because they must end first. Returns the number of matching
 * running jobs.
 */
export async function removeJobs(
  queue: BullQueue<StoredJob, void, string>,
  redis: Redis,
  matches: (job: StoredJob) => boolean,
): Promise<number> {
  const ids = await withRedis(redis, () => queue.getRanges(EVERY_STATE, 0, -1))
  let running = 0
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE)
    const stored = await withRedis(redis, () =>
      Promise.all(batch.map((id) => redis.hget(queue.toKey(id), 'data'))),
    )
    const matchingIds = batch.filter((_, index) =>
      matches(JSON.parse(stored[index] ?? '{"payload":{}}') as StoredJob),
    )
    const removed = await withRedis(redis, () => Promise.all(matchingIds.map((id) => queue.remove(id))))
    // BullMQ does not remove a job that a worker has locked.
    running += removed.filter((count) => count === 0).length
  }
  await withRedis(redis, () => redis.xtrim(queue.toKey('events'), 'MAXLEN', 0))
  return running
}

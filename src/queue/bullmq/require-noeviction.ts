import type { Redis } from 'ioredis'
import { Unavailable } from '../../platform/lifecycle/unavailable.ts'
import { withRedis } from '../../platform/redis/redis-connection.ts'

/**
 * Rejects if Redis evicts keys when its memory is full: jobs would vanish, and also the keys that prevent duplicate
 * jobs. Resolves if Redis is unreachable, because another check reports that.
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  const policy = await policyOf(redis)
  if (policy !== null && policy !== 'noeviction')
    throw new Error(
      `Redis has maxmemory-policy ${policy}: set it to noeviction, or Redis drops jobs when its memory is full`,
    )
}

/**
 * Reads the eviction policy with INFO, because hosted servers refuse CONFIG. Returns null if Redis is unreachable or
 * reports no policy.
 */
async function policyOf(redis: Redis): Promise<string | null> {
  try {
    const memory = await withRedis(redis, () => redis.info('memory'))
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? null
  } catch (error) {
    if (error instanceof Unavailable) return null
    throw error
  }
}

import type { Redis } from 'ioredis'
import { Unavailable } from '../../platform/lifecycle/unavailable.ts'
import { withRedis } from '../../platform/redis/redis-connection.ts'

/**
 * Rejects where Redis may throw keys away when its memory is full: jobs would vanish, and with them the keys that keep
 * a job from being queued twice. A Redis that cannot be reached is told by those who need it.
 */
export async function requireNoEviction(redis: Redis): Promise<void> {
  const policy = await policyOf(redis)
  if (policy !== null && policy !== 'noeviction')
    throw new Error(
      `Redis has maxmemory-policy ${policy}: set it to noeviction, or it drops jobs when it is full`,
    )
}

/** Read from INFO: hosted servers refuse CONFIG. */
async function policyOf(redis: Redis): Promise<string | null> {
  try {
    const memory = await withRedis(redis, () => redis.info('memory'))
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? null
  } catch (error) {
    if (error instanceof Unavailable) return null
    throw error
  }
}

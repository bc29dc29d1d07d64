import { once } from 'node:events'
import { Redis, type RedisOptions } from 'ioredis'
import { withTimeout } from '../lifecycle/timeout.ts'
import { Unavailable } from '../lifecycle/unavailable.ts'

const REDIS_DEADLINE_MS = 1_000
const MAX_RECONNECT_DELAY_MS = 1_000
const PING_INTERVAL_MS = 15_000
const PING_TIMEOUT_MS = 5_000

/** A connection that never makes a caller wait for Redis: a command without a live connection fails at once. */
export function producerConnection(redisUrl: string): Redis {
  return connection(redisUrl, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
}

/** A connection that waits out every outage: its commands are sent when Redis is back. */
export function consumerConnection(redisUrl: string): Redis {
  return connection(redisUrl, { maxRetriesPerRequest: null })
}

function connection(redisUrl: string, options: RedisOptions): Redis {
  const redis = new Redis(redisUrl, {
    ...options,
    connectTimeout: 2_000,
    retryStrategy: (tries) => Math.min(tries * 100, MAX_RECONNECT_DELAY_MS),
  })
  redis.setMaxListeners(0)
  redis.on('error', () => {}) // Told by those who use the connection.
  reconnectWhenSilent(redis)
  return redis
}

/** A connection that swallows everything raises no error and would be waited for as long as TCP retries. */
function reconnectWhenSilent(redis: Redis): void {
  const ping = async () => {
    if (redis.status !== 'ready') return
    const answer = redis.ping()
    await withTimeout(answer, PING_TIMEOUT_MS, new Error('No pong')).catch(() => redis.disconnect(true))
  }
  const pings = setInterval(ping, PING_INTERVAL_MS).unref()
  redis.once('end', () => clearInterval(pings))
}

/** Does something that needs Redis, or rejects within a second. What Redis has received may still take effect. */
export async function withRedis<T>(redis: Redis, command: () => Promise<T>): Promise<T> {
  const late = new Error(`Redis did not answer within ${REDIS_DEADLINE_MS} ms`)
  const answer = async () => {
    await connected(redis)
    return command()
  }

  try {
    return await withTimeout(answer(), REDIS_DEADLINE_MS, late)
  } catch (cause) {
    throw new Unavailable('Redis cannot be reached', { cause })
  }
}

/** Rejects where Redis does not answer, in words for an operator. */
export async function requireRedisAnswer(redis: Redis): Promise<void> {
  await withRedis(redis, () => redis.ping()).catch((cause: unknown) => {
    throw new Error('Redis does not answer: see whether it runs and whether REDIS_URL leads to it', { cause })
  })
}

async function connected(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  if (redis.status === 'end') throw new Error('The connection is closed')
  await once(redis, 'ready', { signal: AbortSignal.timeout(REDIS_DEADLINE_MS) })
}

/** Passes trouble on, the same trouble at most once a minute: retries would repeat it many times a second. */
export function oncePerMinute(report: (error: Error) => void): (error: Error) => void {
  const toldAt = new Map<string, number>()

  return (error) => {
    const now = Date.now()
    if (now - (toldAt.get(error.message) ?? -Infinity) < 60_000) return
    if (toldAt.size > 100) toldAt.clear()
    toldAt.set(error.message, now)
    report(error)
  }
}

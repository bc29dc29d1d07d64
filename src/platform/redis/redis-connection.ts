import { once } from 'node:events'
import { Redis, ReplyError, type RedisOptions } from 'ioredis'
import { withTimeout } from '../lifecycle/timeout.ts'
import { Unavailable } from '../lifecycle/unavailable.ts'
import { deadlineSignal } from '../lifecycle/deadline.ts'

const REDIS_DEADLINE_MS = 1_000
const WRITE_CHECK_TTL_MS = 60_000
const MAX_RECONNECT_DELAY_MS = 1_000
const CHECK_INTERVAL_MS = 15_000
const CHECK_TIMEOUT_MS = 5_000

/**
 * Matches the errors of a server that changes from primary to replica: it refuses writes and ends blocking commands.
 */
const DEMOTED = /READONLY|UNBLOCKED/
const REPLICA = /^role:slave/m

/** Creates a connection for callers that must not wait: a command fails at once while Redis is not connected. */
export function producerConnection(redisUrl: string): Redis {
  return connection(redisUrl, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
}

/** Creates a connection for callers that can wait: during an outage it keeps its commands and sends them afterwards. */
export function consumerConnection(redisUrl: string): Redis {
  return connection(redisUrl, { maxRetriesPerRequest: null })
}

function connection(redisUrl: string, options: RedisOptions): Redis {
  const redis = new Redis(redisUrl, {
    ...options,
    connectTimeout: 2_000,
    retryStrategy: (tries) => Math.min(tries * 100, MAX_RECONNECT_DELAY_MS),
    reconnectOnError: (error) => DEMOTED.test(error.message),
  })
  redis.setMaxListeners(0) // Every command that waits for the connection adds a listener.
  redis.on('error', () => {}) // The users of the connection report its errors.
  reconnectWhenUseless(redis)
  return redis
}

/**
 * Checks a connection at intervals, and reconnects it if it no longer works although it raised no error. If a server
 * stops answering, the connection raises no error until TCP ends its retries. If a primary becomes a replica, it keeps
 * its connections, although its host name now leads to the new primary.
 */
function reconnectWhenUseless(redis: Redis): void {
  const check = async () => {
    if (redis.status !== 'ready') return
    // On a connection with subscriptions, Redis refuses INFO.
    const answer = redis.mode === 'subscriber' ? redis.ping() : redis.info('replication')
    const info = await withTimeout(answer, CHECK_TIMEOUT_MS, new Error('No answer')).catch(refusalOfInfo)
    if (info === undefined || REPLICA.test(info)) redis.disconnect(true)
  }
  const checks = setInterval(() => void check(), CHECK_INTERVAL_MS).unref()
  redis.once('end', () => clearInterval(checks))
}

/** Returns the text with which a server refuses INFO: such a server works. Returns undefined if there was no answer. */
const refusalOfInfo = (error: unknown): string | undefined => refusalOf(error) ?? undefined

/** Returns the text with which a server refused a command. Returns null for any other error. */
const refusalOf = (error: unknown): string | null =>
  error instanceof Error && error instanceof ReplyError ? error.message : null

/** Runs a Redis command. Rejects if there is no answer within a second. The command may still take effect then. */
export async function withRedis<T>(redis: Redis, command: () => Promise<T>): Promise<T> {
  const timeoutError = new Error(`Redis did not answer within ${REDIS_DEADLINE_MS} ms`)
  const answer = async () => {
    await connected(redis)
    return command()
  }

  try {
    return await withTimeout(answer(), REDIS_DEADLINE_MS, timeoutError)
  } catch (cause) {
    const refusal = refusalOf(cause)
    throw new Unavailable(
      refusal === null ? 'Redis cannot be reached' : `Redis refuses a command (${refusal})`,
      { cause },
    )
  }
}

/** Writes a short-lived key. Rejects if Redis does not answer or refuses writes, with a message for an operator. */
export async function requireRedisWrite(redis: Redis, key: string): Promise<void> {
  await withRedis(redis, () => redis.set(key, '1', 'PX', WRITE_CHECK_TTL_MS)).catch((error: unknown) => {
    const refusal = refusalOf((error as Error).cause)
    throw new Error(
      refusal !== null
        ? `Redis refuses writes (${refusal}): point REDIS_URL to a primary with free memory and disk`
        : 'Redis does not answer: check that it runs and that REDIS_URL points to it',
      { cause: error },
    )
  })
}

async function connected(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  if (redis.status === 'end') throw new Error('The Redis connection is closed')
  await once(redis, 'ready', { signal: deadlineSignal(REDIS_DEADLINE_MS) })
}

/** Limits reports of the same error to one a minute: retries would repeat the error many times a second. */
export function oncePerMinute(report: (error: Error) => void): (error: Error) => void {
  const reportedAt = new Map<string, number>()

  return (error) => {
    const now = Date.now()
    if (now - (reportedAt.get(error.message) ?? -Infinity) < 60_000) return
    if (reportedAt.size > 100) reportedAt.clear()
    reportedAt.set(error.message, now)
    report(error)
  }
}

import { once } from 'node:events'
import { Redis, ReplyError, type RedisOptions } from 'ioredis'
import { parseRedisUrl } from '../config/redis-url.ts'
import { withTimeout } from '../lifecycle/timeout.ts'
import { Unavailable } from '../lifecycle/unavailable.ts'
import { deadlineSignal } from '../lifecycle/deadline.ts'
import { isRefusedDatabase, refusedDatabaseMessage } from './refused-database.ts'

const REDIS_DEADLINE_MS = 1_000
const WRITE_CHECK_TTL_MS = 60_000
const MAX_RECONNECT_DELAY_MS = 1_000
const CHECK_INTERVAL_MS = 15_000
const CHECK_TIMEOUT_MS = 5_000
const START_CHECK_TIMEOUT_MS = 5_000

/**
 * Matches the errors of a server that changes from primary to replica: it refuses writes and ends blocking commands.
 */
const DEMOTED = /READONLY|UNBLOCKED/
const REPLICA = /^role:slave/m

/** Refusals of the database, by connection, until the connection gets it. */
const refusals = new WeakMap<Redis, unknown>()

/** Creates a connection for callers that must not wait: a command fails at once while Redis is not connected. */
export function producerConnection(redisUrl: string): Redis {
  return connection(redisUrl, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
}

/** Creates a connection for callers that can wait: during an outage it keeps its commands and sends them afterwards. */
export function consumerConnection(redisUrl: string): Redis {
  return connection(redisUrl, { maxRetriesPerRequest: null })
}

function connection(redisUrl: string, options: RedisOptions): Redis {
  const redis = new Redis({
    ...parseRedisUrl(redisUrl),
    ...options,
    connectTimeout: 2_000,
    retryStrategy: (tries) => Math.min(tries * 100, MAX_RECONNECT_DELAY_MS),
    // Without its database, a connection would use database 0. Once it is closing, it sends no further command.
    reconnectOnError: (error) => DEMOTED.test(error.message) || isRefusedDatabase(error),
  })
  redis.setMaxListeners(0) // Every command that waits for the connection adds a listener.
  // The users of the connection report its errors.
  redis.on('error', (error: unknown) => {
    if (isRefusedDatabase(error)) refusals.set(redis, error)
  })
  redis.on('ready', () => refusals.delete(redis))
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
  } catch (error) {
    const cause = refusals.get(redis) ?? error
    const refusal = refusalOf(cause)
    const problem = refusal === null ? 'Redis cannot be reached' : `Redis refuses a command (${refusal})`
    throw new Unavailable(refusedDatabaseMessage(cause) ?? problem, { cause })
  }
}

/** Writes a short-lived key. A replica, a full server and a user without rights to the prefix answer reads only. */
export const writeRedisKey = (redis: Redis, prefix: string): Promise<unknown> =>
  redis.set(`${prefix}:writable`, '1', 'PX', WRITE_CHECK_TTL_MS)

/** Returns what an operator does about the refusal of a write. */
export const writeRefusalAdvice = (refusal: string, prefix: string): string =>
  refusal.startsWith('NOPERM')
    ? `let the user of REDIS_URL use the keys and channels of QUEUE_PREFIX (~${prefix}:* &${prefix}:*)`
    : 'point REDIS_URL to a primary with free memory and disk'

/** Writes a key. Rejects if Redis does not answer or refuses writes, with a message for an operator. */
export async function requireRedisWrite(redis: Redis, prefix: string): Promise<void> {
  await withRedis(redis, () => writeRedisKey(redis, prefix)).catch((error: unknown) => {
    const { cause } = error as Error
    const refusal = refusalOf(cause)
    const problem =
      refusal !== null
        ? `Redis refuses writes (${refusal}): ${writeRefusalAdvice(refusal, prefix)}`
        : 'Redis does not answer: check that it runs and that REDIS_URL points to it'
    throw new Error(refusedDatabaseMessage(cause) ?? problem, { cause: error })
  })
}

/**
 * Rejects if the server does not have the database of the URL. Resolves if Redis does not answer: a service can start
 * without it.
 */
export async function requireRedisDatabase(redisUrl: string): Promise<void> {
  if (parseRedisUrl(redisUrl).db === 0) return
  const redis = producerConnection(redisUrl)
  try {
    await once(redis, 'ready', { signal: deadlineSignal(START_CHECK_TIMEOUT_MS) })
  } catch (error) {
    const problem = refusedDatabaseMessage(error)
    if (problem !== null) throw new Error(problem, { cause: error })
  } finally {
    redis.disconnect()
  }
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

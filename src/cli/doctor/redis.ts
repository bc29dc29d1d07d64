import { Redis } from 'ioredis'
import type { Config } from '../../platform/config/config.ts'
import { parseRedisUrl } from '../../platform/config/redis-url.ts'
import { writeRedisKey, writeRefusalAdvice } from '../../platform/redis/redis-connection.ts'
import { isRefusedDatabase } from '../../platform/redis/refused-database.ts'
import { clockFinding, fail, type Finding, ok, describeError, warn } from './finding.ts'

const TIMEOUT_MS = 2000

/** Checks a Redis server. */
export async function redisFindings({ redisUrl, queuePrefix }: Config): Promise<Finding[]> {
  if (!redisUrl) return []
  const server = parseRedisUrl(redisUrl)
  const redis = new Redis({
    ...server,
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
  })
  let connectionError: unknown = null
  redis.on('error', (error: unknown) => (connectionError = error))
  try {
    await redis.connect()
    if (server.db !== 0) await redis.select(server.db)
    const info = infoIn(await redis.info())
    return [
      ...redisServerFindings(info),
      ...clusterFindings(info, queuePrefix),
      await writesFinding(redis, queuePrefix),
      await clockFinding('redis clock', () => timeOf(redis)),
    ]
  } catch (error) {
    const found = `${server.host}:${server.port}: ${describeError(connectionError ?? error)}`
    const advice = isRefusedDatabase(error)
      ? `name a database in REDIS_URL that the server has, not ${server.db}`
      : 'start the server, or correct REDIS_URL and its password'
    return [fail('redis', found, advice)]
  } finally {
    redis.disconnect()
  }
}

const infoIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )

const MIN_VERSION = [6, 2] as const

export function redisServerFindings(info: ReadonlyMap<string, string>): Finding[] {
  const version = info.get('redis_version') ?? '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])
  const policy = info.get('maxmemory_policy') ?? 'unknown'
  return [
    fits ? ok('redis', version) : fail('redis', version, `use Redis ${MIN_VERSION.join('.')} or later`),
    policy === 'noeviction'
      ? ok('eviction', policy)
      : fail('eviction', policy, 'set maxmemory-policy to noeviction, or Redis drops jobs when it is full'),
    info.get('aof_enabled') === '1'
      ? ok('persistence', 'append-only file')
      : warn(
          'persistence',
          'no append-only file',
          'set appendonly yes to keep jobs over a restart; without it the service finds them again in the database',
        ),
  ]
}

/**
 * Checks whether all keys are in one slot of a Redis cluster: the scripts of BullMQ use several keys, and a cluster
 * runs them only if the keys are in the same slot. Returns nothing for a single server.
 */
export function clusterFindings(info: ReadonlyMap<string, string>, prefix: string): Finding[] {
  if (info.get('redis_mode') !== 'cluster') return []
  return [
    /\{[^}]+\}/.test(prefix)
      ? ok('cluster', `all keys are in the slot of ${prefix}`)
      : fail(
          'cluster',
          `the keys of ${prefix} are in several slots`,
          `set QUEUE_PREFIX to {${prefix}}, and REDIS_URL to the node that has its slot`,
        ),
  ]
}

async function writesFinding(redis: Redis, prefix: string): Promise<Finding> {
  try {
    await writeRedisKey(redis, prefix)
    return ok('redis writes', `accepted under ${prefix}:`)
  } catch (error) {
    const found = describeError(error)
    return fail('redis writes', found, writeRefusalAdvice(found, prefix))
  }
}

async function timeOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Number(microseconds) / 1000
}

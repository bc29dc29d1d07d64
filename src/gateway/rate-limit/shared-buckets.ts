import type { Redis, Result } from 'ioredis'
import { REFILL_MS } from '../../domain/rate-limit.ts'
import { withTimeout } from '../../platform/lifecycle/timeout.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { ProcessCount } from '../../platform/redis/process-count.ts'
import { producerConnection } from '../../platform/redis/redis-connection.ts'
import type { Bucket } from './bucket.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    rateTake(keys: number, ...rest: (string | number)[]): Result<string[], Context>
  }
}

/** Time that a request waits for Redis before it uses the buckets of this process. */
const TIMEOUT_MS = 100
/** Time without calls to Redis after a failed one, so that few requests wait for the timeout. */
const RETRY_AFTER_MS = 1_000

/**
 * Takes points from all buckets of a request, or from none. KEYS: the buckets, each with the time at which it is full
 * again, in milliseconds of the clock of Redis. ARGV of each bucket: the needed points, the wanted points, the points
 * per minute, and a lower limit of the time until it is full, which the process knows. Returns whether the points were
 * taken, then the taken points and the time until full of each bucket.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local used, result, accepted = {}, {}, 1
for index, key in ipairs(KEYS) do
  local needed, rate, known = tonumber(ARGV[4 * index - 3]), tonumber(ARGV[4 * index - 1]), tonumber(ARGV[4 * index])
  used[index] = math.max((tonumber(redis.call('GET', key)) or 0) - now, known, 0)
  local refill = needed * ${REFILL_MS} / rate
  if needed > 0 and used[index] + refill > math.max(${REFILL_MS}, refill) then accepted = 0 end
end
for index, key in ipairs(KEYS) do
  local needed, wanted, rate = tonumber(ARGV[4 * index - 3]), tonumber(ARGV[4 * index - 2]), tonumber(ARGV[4 * index - 1])
  local taken = 0
  if accepted == 1 and needed > 0 then
    local room = math.floor((${REFILL_MS} - used[index]) * rate / ${REFILL_MS})
    taken = math.max(needed, math.min(wanted, room))
    used[index] = used[index] + taken * ${REFILL_MS} / rate
  end
  if used[index] > 0 then
    redis.call('SET', key, string.format('%.4f', now + used[index]), 'PX', math.ceil(used[index]))
  end
  result[2 * index] = string.format('%.4f', taken)
  result[2 * index + 1] = string.format('%.4f', used[index])
end
result[1] = tostring(accepted)
return result
`

export interface SharedRequest {
  readonly bucket: Bucket
  readonly needed: number
  /** Number of points to take if the bucket has more than the needed ones. */
  readonly wanted: number
  /** Lower limit of the time until the bucket is full. It restores the state after Redis has lost it. */
  readonly msUntilFull: number
}

export interface SharedResult {
  readonly isAccepted: boolean
  readonly buckets: readonly { readonly taken: number; readonly msUntilFull: number }[]
}

interface Options {
  readonly redisUrl: string
  /** Prefix of every key. */
  readonly prefix: string
  readonly log: Logger
}

/** Buckets on Redis, which all gateways share. */
export class SharedBuckets {
  private readonly redis: Redis
  private readonly gatewayCount: ProcessCount
  private retryAt = 0
  private hasFailed = false

  constructor(private readonly options: Options) {
    this.redis = producerConnection(options.redisUrl)
    this.redis.defineCommand('rateTake', { lua: TAKE })
    this.gatewayCount = new ProcessCount(this.redis, `${options.prefix}:rates:gateways`)
  }

  /** Number of gateways that share the buckets, as of the last contact with Redis. */
  get gateways(): number {
    return this.gatewayCount.value
  }

  get isAvailable(): boolean {
    return this.redis.status === 'ready' && performance.now() >= this.retryAt
  }

  /** Takes points from all buckets or from none. Rejects if Redis does not answer in time. */
  async take(requests: readonly SharedRequest[]): Promise<SharedResult> {
    const keys = requests.map(({ bucket }) => this.keyOf(bucket))
    const values = requests.flatMap(({ bucket, needed, wanted, msUntilFull }) => [
      needed,
      wanted,
      bucket.pointsPerMinute,
      msUntilFull,
    ])
    try {
      const answer = this.redis.rateTake(keys.length, ...keys, ...values)
      const [accepted, ...levels] = await withTimeout(answer, TIMEOUT_MS, new Error('Redis is slow'))
      this.hasFailed = false
      return {
        isAccepted: accepted === '1',
        buckets: requests.map((_, index) => ({
          taken: Number(levels[2 * index]),
          msUntilFull: Number(levels[2 * index + 1]),
        })),
      }
    } catch (err) {
      this.retryAt = performance.now() + RETRY_AFTER_MS
      const { gateways } = this
      if (!this.hasFailed) this.options.log.warn({ err, gateways }, 'request rates divided among gateways')
      this.hasFailed = true
      throw err
    }
  }

  async close(): Promise<void> {
    await this.gatewayCount.close()
    this.redis.disconnect()
  }

  /**
   * Returns the key of a bucket. The braces put all buckets of an application into one slot of a Redis cluster, unless
   * the configured prefix has braces already.
   */
  private keyOf({ kind, id, applicationId }: Bucket): string {
    return `${this.options.prefix}:{rates:${applicationId}}:${kind}:${id}`
  }
}

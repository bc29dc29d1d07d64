import type { Config } from '../../platform/config/config.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { RequestRateLimiter } from './request-rate-limiter.ts'
import { RateLimitStore } from './rate-limit-store.ts'
import { SharedBuckets } from './shared-buckets.ts'

type Settings = Pick<
  Config,
  'redisUrl' | 'queuePrefix' | 'rateLimitApplication' | 'rateLimitKey' | 'rateLimitConnection'
>

interface SharedRequestRateLimiter {
  readonly limiter: RequestRateLimiter
  /** Returns the number of gateways that share the limits, as of the last contact with Redis. */
  gateways(): number
  close(): Promise<void>
}

/** Creates the rate limiter of a gateway. With Redis, all gateways share the limits. */
export function createRequestRateLimiter(config: Settings, log: Logger): SharedRequestRateLimiter {
  const { redisUrl, queuePrefix: prefix, rateLimitApplication: application } = config
  const shared = redisUrl === undefined ? null : new SharedBuckets({ redisUrl, prefix, log })
  const limiter = new RequestRateLimiter(new RateLimitStore(shared), {
    application,
    key: config.rateLimitKey ?? application,
    connection: config.rateLimitConnection ?? application,
  })
  return { limiter, gateways: () => shared?.gateways ?? 1, close: async () => shared?.close() }
}

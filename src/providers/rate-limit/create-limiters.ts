import type { Config } from '../../platform/config/config.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { FallbackStore } from './fallback-store.ts'
import type { LimiterStore } from './limiter-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { createRateLimiter, type LimiterFor } from './rate-limiter.ts'

type Settings = Pick<Config, 'redisUrl' | 'queuePrefix' | 'providerBudgets'>

/**
 * Creates the function that gives each account of an adapter its rate limiter. With Redis, all processes share the
 * limits. `providerBudgets` adds the limits that the operator configured per provider.
 */
export function createLimiters(
  { redisUrl, queuePrefix: prefix, providerBudgets }: Settings,
  log: Logger,
): { readonly limiterFor: LimiterFor; close(): Promise<void> } {
  const store: LimiterStore = redisUrl ? new FallbackStore({ redisUrl, prefix, log }) : createMemoryStore()
  return {
    limiterFor(request) {
      const configured = providerBudgets.get(request.provider)
      const rateLimits = configured
        ? [...request.rateLimits, { per: 'provider', ...configured } as const]
        : request.rateLimits
      return createRateLimiter(store, { ...request, rateLimits })
    },
    close: () => store.close(),
  }
}

import type { Config } from '../../platform/config/config.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { FallbackStore } from './fallback-store.ts'
import type { LimiterStore } from './limiter-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { createRateLimiter, type LimiterFor } from './rate-limiter.ts'

type Settings = Pick<Config, 'redisUrl' | 'queuePrefix' | 'providerBudgets'>

/** Gives adapters their turns: with Redis those of all processes on it, within what the operator permits. */
export function createLimiters(
  { redisUrl, queuePrefix: prefix, providerBudgets }: Settings,
  log: Logger,
): { readonly limiterFor: LimiterFor; close(): Promise<void> } {
  const store: LimiterStore = redisUrl ? new FallbackStore({ redisUrl, prefix, log }) : createMemoryStore()
  return {
    limiterFor(request) {
      const tighter = providerBudgets.get(request.provider)
      const rateLimits = tighter
        ? [...request.rateLimits, { per: 'provider', ...tighter } as const]
        : request.rateLimits
      return createRateLimiter(store, { ...request, rateLimits })
    },
    close: () => store.close(),
  }
}

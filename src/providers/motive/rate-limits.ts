import type { RateLimit } from '../rate-limit/rate-limit.ts'

/**
 * Motive documents one limit: ten concurrent requests for location histories. We chose the limit of 20 requests a
 * second.
 */
export const rateLimits: readonly RateLimit[] = [
  { per: 'account', requests: 10, perSeconds: 0, endpoints: ['GET /v3/vehicle_locations/*'] },
  { per: 'account', requests: 20, perSeconds: 1 },
]

import type { RateLimit } from '../rate-limit/rate-limit.ts'

/**
 * Motive documents one limit: ten concurrent history requests. The limit of 20 requests a second is our own,
 * modest choice.
 */
export const rateLimits: readonly RateLimit[] = [
  { per: 'account', requests: 10, perSeconds: 0, endpoints: ['GET /v3/vehicle_locations/*'] },
  { per: 'account', requests: 20, perSeconds: 1 },
]

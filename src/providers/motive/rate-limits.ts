import type { RateLimit } from '../rate-limit/rate-limit.ts'

/** Histories are answered ten at once. No other limit is published: what is asked beside them is modest. */
export const rateLimits: readonly RateLimit[] = [
  { per: 'account', requests: 10, perSeconds: 0, endpoints: ['GET /v3/vehicle_locations/*'] },
  { per: 'account', requests: 20, perSeconds: 1 },
]

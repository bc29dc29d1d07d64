import type { RateLimit } from '../rate-limit/rate-limit.ts'

/** Endpoints with a documented limit of five requests a second. */
const FIVE_A_SECOND = [
  'GET /gateways',
  'GET /trips/stream',
  'GET /safety-events',
  'GET /safety-events/stream',
  'GET /speeding-intervals/stream',
  'GET /fleet/hos/logs',
  'GET /fleet/hos/daily-logs',
  'GET /cameras/media',
  'GET /fleet/reports/vehicles/fuel-energy',
  'GET /idling/events',
]
const TEN_A_SECOND = ['GET /fleet/trailers/stats/history']

/**
 * Limits of an organization. All its applications share 200 requests a second; this service uses at most 150.
 */
export const rateLimits: readonly RateLimit[] = [
  { per: 'account', requests: 5, perSeconds: 1, endpoints: FIVE_A_SECOND, each: true },
  { per: 'account', requests: 10, perSeconds: 1, endpoints: TEN_A_SECOND, each: true },
  { per: 'account', requests: 25, perSeconds: 1, except: [...FIVE_A_SECOND, ...TEN_A_SECOND], each: true },
  { per: 'account', requests: 150, perSeconds: 1 },
]

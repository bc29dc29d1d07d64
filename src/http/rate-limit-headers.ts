import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REFILL_MS } from '../domain/rate-limit.ts'

/** Headers of the IETF draft on rate limits, whose values are structured fields (RFC 9651). */
const POLICY_HEADER = 'ratelimit-policy'
const STATUS_HEADER = 'ratelimit'

/** Adds the headers of the rate limit to every response to a request that a rate limit applies to. */
export function sendRateLimitHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    setRateLimitHeaders(request, reply)
    done()
  })
}

/** Sets the headers. A stream needs this call, because Fastify does not send its response. */
export function setRateLimitHeaders({ tracking }: FastifyRequest, reply: FastifyReply): void {
  const status = tracking?.logContext.rateLimit
  if (!status) return
  const { policy, pointsPerMinute, remainingPoints, msUntilFull } = status
  void reply
    .header(POLICY_HEADER, `"${policy}";q=${pointsPerMinute};w=${REFILL_MS / 1000}`)
    .header(STATUS_HEADER, `"${policy}";r=${remainingPoints};t=${Math.ceil(msUntilFull / 1000)}`)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REFILL_MS } from '../domain/rate-limit.ts'

/** Headers of the IETF draft on rate limits, whose values are structured fields (RFC 9651). */
const POLICY_HEADER = 'ratelimit-policy'
const STATUS_HEADER = 'ratelimit'

/** Header of a response that repeats the one to an earlier request with the same idempotency key. */
const REPLAYED_HEADER = 'idempotent-replayed'

/** Returns the idempotency key of a request, as the client sent it. */
export const idempotencyKeyOf = ({ headers }: FastifyRequest): string | undefined =>
  headers['idempotency-key']?.toString()

/** Adds the headers that depend on how the gateway ran a request: its rate limit, and whether it is a replay. */
export function sendGatewayHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    setGatewayHeaders(request, reply)
    done()
  })
}

/** Sets the headers. A stream needs this call, because Fastify does not send its response. */
export function setGatewayHeaders({ tracking }: FastifyRequest, reply: FastifyReply): void {
  const { rateLimit: status, isReplayed } = tracking?.logContext ?? {}
  if (isReplayed) void reply.header(REPLAYED_HEADER, 'true')
  if (!status) return
  const { policy, pointsPerMinute, remainingPoints, msUntilFull } = status
  void reply
    .header(POLICY_HEADER, `"${policy}";q=${pointsPerMinute};w=${REFILL_MS / 1000}`)
    .header(STATUS_HEADER, `"${policy}";r=${remainingPoints};t=${Math.ceil(msUntilFull / 1000)}`)
}

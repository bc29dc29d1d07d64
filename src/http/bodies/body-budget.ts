import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import type { Authenticate } from '../../auth/caller.ts'
import { BODY_LIMIT_BYTES } from '../public-error.ts'

/** Bytes that the arriving bodies of a process may have together. */
export const BODY_BUDGET_BYTES = 64 * 1024 * 1024

/**
 * Limits the memory of bodies that have not arrived completely, because clients may withhold their end. A body counts
 * with its announced size.
 */
export function limitBodies(app: FastifyInstance, budgetBytes: number): void {
  let reservedBytes = 0
  // A hook before the body is read, after the hooks that authenticate.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const bytes = announcedBytes(request)
    if (reservedBytes + bytes > budgetBytes) return done(tooManyBodies())
    reservedBytes += bytes
    if (bytes > 0) request.raw.once('close', () => (reservedBytes -= bytes))
    done()
  })
}

/**
 * Creates a hook that authenticates a request before its body arrives, if the body is larger than the usual limit.
 * Only routes for callers with a key accept such bodies. The handler of the route checks the connection token.
 */
export const authenticateLargeBodies =
  (authenticate: Authenticate) =>
  async (request: FastifyRequest): Promise<void> => {
    if (announcedBytes(request) > BODY_LIMIT_BYTES)
      await authenticate({ authorization: request.headers.authorization }, request.remoteAddress)
  }

const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns the largest size that a body can have. Without a length it is the limit of the route. */
function announcedBytes({ method, headers, routeOptions }: FastifyRequest): number {
  if (METHODS_WITHOUT_BODY.has(method)) return 0
  const limit = routeOptions.bodyLimit ?? BODY_LIMIT_BYTES
  if (headers['transfer-encoding'] !== undefined) return limit
  return Math.min(Number(headers['content-length'] ?? 0), limit)
}

const tooManyBodies = () =>
  new PublicError('service_unavailable', 'Too many request bodies arrive at the same time. Retry later.', {
    retryAfterSeconds: 1,
  })

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../../platform/logging/log.ts'
import { logFieldsOf, type LogContext } from '../../platform/logging/log-context.ts'
import { requests, type RequestWork } from '../../platform/instrumentation.ts'

/** Tracks requests: each gets an ID and one log line. */

export const REQUEST_ID = 'x-request-id'

/** Request IDs that are safe in logs and headers. */
const VALID_ID = /^[\w.:-]{1,100}$/

/** Returns the request ID that the caller sent, if it is valid; otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers[REQUEST_ID]
  return typeof sent === 'string' && VALID_ID.test(sent) ? sent : randomUUID()
}

interface TrackedRequest {
  readonly logContext: LogContext
  readonly work: RequestWork
  readonly startedAt: number
  /** Ends the instrumentation of the request. */
  end(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    tracking: TrackedRequest | null
  }
}

/**
 * Adds the hooks that trace and log requests. Metrics and tracing must subscribe to `requests` before this call. The
 * end of a request is recorded only if one of them has subscribed, or if the log level includes `info`.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.decorateRequest('tracking', null)
  app.addHook('onRequest', startTracking)
  if (!requests.isUsed() && !log.isLevelEnabled('info')) return
  // The body parser runs outside of the async context of the trace. This hook restores the context after it.
  app.addHook('preValidation', ({ tracking }, _reply, done) => {
    const resume = tracking?.work.resume
    return resume ? resume(done) : done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    finish(request, reply, log)
    done()
  })
}

function startTracking(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const route = request.routeOptions.url ?? 'none'
  const { method, id: requestId } = request
  const logContext: LogContext = { requestId, statements: 0 }
  if (route !== '/graphql') logContext.operation = `${method} ${route}`
  const traceparent = request.headers['traceparent']?.toString()
  const work = { method, route, requestId, traceparent, status: 0, statements: 0 }
  void reply.header(REQUEST_ID, requestId)
  void requests.run(work, () => {
    const { promise, resolve } = createDeferred()
    request.tracking = { logContext, work, startedAt: performance.now(), end: resolve }
    done()
    return promise
  })
}

function createDeferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Routes for monitoring. Their requests are frequent, so they are logged at level `debug`. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

function finish({ tracking }: FastifyRequest, reply: FastifyReply, log: Logger): void {
  if (!tracking) return
  const { logContext, work, startedAt, end } = tracking
  work.status = reply.statusCode
  work.statements = logContext.statements
  end()
  const level = PROBES.has(work.route) ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const { method, route, status, statements } = work
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10
  const bytes = Number(reply.getHeader('content-length') ?? 0)
  log[level]({ ...logFieldsOf(logContext), method, route, status, durationMs, statements, bytes }, 'request')
}

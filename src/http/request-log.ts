import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../platform/logging/log.ts'
import { logFieldsOf, type LogContext } from '../platform/logging/log-context.ts'
import { requests, type RequestWork } from '../platform/instrumentation.ts'

/** Each request has an id, is done for somebody, and leaves one line in the log. */

export const REQUEST_ID = 'x-request-id'

/** What may stand in a log and in a header as it is. */
const SANE_ID = /^[\w.:-]{1,100}$/

/** The caller's own id of a request where it has a sane one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID]
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID()
}

interface TrackedRequest {
  readonly logContext: LogContext
  readonly work: RequestWork
  readonly begun: number
  answered(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    tracking: TrackedRequest | null
  }
}

/** Whoever watches requests does so before; where nobody does and nobody reads the lines, there is nothing to note. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.decorateRequest('tracking', null)
  app.addHook('onRequest', startTracking)
  if (!requests.isUsed() && !log.isLevelEnabled('info')) return
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
    const { promise, resolve } = ended()
    request.tracking = { logContext, work, begun: performance.now(), answered: resolve }
    done()
    return promise
  })
}

function ended(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve!: () => void
  const promise = new Promise<void>((end) => (resolve = end))
  return { promise, resolve }
}

/** Watchers of a process come often and say nothing. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

function finish({ tracking }: FastifyRequest, reply: FastifyReply, log: Logger): void {
  if (!tracking) return
  const { logContext, work, begun, answered } = tracking
  work.status = reply.statusCode
  work.statements = logContext.statements
  answered()
  const level = PROBES.has(work.route) ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const { method, route, status, statements } = work
  const durationMs = Math.round((performance.now() - begun) * 10) / 10
  const bytes = Number(reply.getHeader('content-length') ?? 0)
  log[level]({ ...logFieldsOf(logContext), method, route, status, durationMs, statements, bytes }, 'request')
}

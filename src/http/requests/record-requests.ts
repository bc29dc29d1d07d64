import type { FastifyInstance, FastifyRequest } from 'fastify'
import type {
  AnsweredRequest,
  RequestLogWriter,
} from '../../subgraphs/connections/requests/request-log-writer.ts'

const REST_PREFIX = '/tsp/v1/'

/**
 * Records every request of GraphQL and REST in the request log, also if its client leaves. Call it before the routes
 * are added.
 */
export function recordRequests(app: FastifyInstance, requestLog: Pick<RequestLogWriter, 'record'>): void {
  app.addHook('onRequest', ({ method, tracking, url }, { raw }, done) => {
    // Fastify calls no hook for a stream that its client closes.
    if (tracking && method !== 'OPTIONS')
      raw.once('close', () => {
        const via = interfaceOf(tracking, url)
        if (via === null) return
        const { logContext, startedAt } = tracking
        const status = raw.headersSent ? raw.statusCode : null
        requestLog.record({ interface: via, logContext, status, durationMs: performance.now() - startedAt })
      })
    done()
  })
}

/** Returns null for a request of another part of the service, such as a page. */
function interfaceOf(
  { work, logContext }: NonNullable<FastifyRequest['tracking']>,
  url: string,
): AnsweredRequest['interface'] | null {
  if (work.route === '/graphql') return logContext.details?.isStream ? 'sse' : 'graphql'
  return url.startsWith(REST_PREFIX) ? 'rest' : null
}

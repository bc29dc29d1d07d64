import type { IncomingMessage } from 'node:http'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { errorCodes, INTERNAL_MESSAGE, isPublic } from '../domain/errors.ts'
import type { Logger } from '../platform/logging/log.ts'
import { REQUEST_ID, requestIdOf, logRequests } from './request-log.ts'
import { parseUrl } from '../platform/parse-url.ts'

const BODY_LIMIT_BYTES = 100 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

interface AppOptions {
  readonly log: Logger
  /** Rewrites the URL of a request before routing. */
  readonly rewriteUrl?: (url: string, host: string | undefined) => string
  /** Responds to requests that fail before they reach a route. */
  readonly frameworkErrors?: FastifyServerOptions['frameworkErrors']
}

/** Creates the HTTP server, on which the other modules mount their routes. */
export function createApp({ log, rewriteUrl, frameworkErrors }: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: BODY_LIMIT_BYTES,
    // Requests that arrive during shutdown are served, with `Connection: close`.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { ignoreTrailingSlash: true },
    ...(frameworkErrors ? { frameworkErrors: withRequestId(frameworkErrors) } : {}),
    ...(rewriteUrl
      ? { rewriteUrl: ({ url, headers }: RewriteRequest) => rewriteUrl(url ?? '/', headers.host) }
      : {}),
  }) as unknown as FastifyInstance
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  // Errors before `listening` reach the caller of `listen`; later ones have only the log.
  app.server.once('listening', () =>
    app.server.on('error', (err) => log.error({ err }, 'HTTP server failed')),
  )
  logRequests(app, log)
  app.addHook('onRequest', refuseInvalidUrl)
  app.setErrorHandler((error, request, reply) => {
    const { code, message } = isPublic(error) ? error : unexpected(error, request)
    if (isPublic(error) && error.retryAfterSeconds !== undefined)
      void reply.header('retry-after', error.retryAfterSeconds)
    const detail = code === 'bad_request' ? [{ message, path: '{requestBody}' }] : request.id
    void reply.code(errorCodes[code].status).send({ code, message, detail })
  })
  app.setNotFoundHandler((request, reply) => {
    void reply
      .code(404)
      .send({ code: 'not_found', message: `There is no route ${request.method} ${request.url}.` })
  })
  return app
}

/**
 * Rejects requests whose URL does not parse, so that later code can rely on it. HTTP/1.0 clients may omit the
 * Host header; they get a default.
 */
function refuseInvalidUrl({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  raw.headers.host ||= 'localhost'
  if (parseUrl(raw.url ?? '/', `http://${raw.headers.host}`)) return done()
  // The error handlers of routes parse the URL too, so the response is sent here.
  void reply.code(400).send({ code: 'bad_request', message: 'The request has no valid URL.' })
}

type RewriteRequest = Pick<IncomingMessage, 'url' | 'headers'>

type FrameworkErrors = NonNullable<AppOptions['frameworkErrors']>

/** Adds the request ID header to the response: without a route, no hooks run. */
const withRequestId =
  (respond: FrameworkErrors): FrameworkErrors =>
  (error, request, reply) => {
    void reply.header(REQUEST_ID, request.id)
    respond(error, request, reply)
  }

function unexpected(error: unknown, { log, routeOptions }: FastifyRequest) {
  const status = (error as { statusCode?: number }).statusCode
  if (status === 413) {
    const limit = (routeOptions.bodyLimit ?? BODY_LIMIT_BYTES) / 1024
    return { code: 'payload_too_large', message: `The body is larger than ${limit} KiB.` } as const
  }
  if (status === 415)
    return { code: 'unsupported_media_type', message: 'Send application/json in UTF-8.' } as const
  if (status !== undefined && status < 500)
    return { code: 'bad_request', message: 'The request cannot be read.' } as const
  log.error({ err: error }, 'request failed')
  return { code: 'internal_server_error', message: INTERNAL_MESSAGE } as const
}

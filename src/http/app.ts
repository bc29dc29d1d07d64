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
  /** How a path is put right before it is routed. */
  readonly rewriteUrl?: (url: string, host: string | undefined) => string
  /** How a request is answered that never reaches a route. */
  readonly frameworkErrors?: FastifyServerOptions['frameworkErrors']
}

/** The one HTTP server; what is served is mounted on it. */
export function createApp({ log, rewriteUrl, frameworkErrors }: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: BODY_LIMIT_BYTES,
    // Who still comes while it closes is served, and told to come no more this way.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { ignoreTrailingSlash: true },
    ...(frameworkErrors ? { frameworkErrors: named(frameworkErrors) } : {}),
    ...(rewriteUrl
      ? { rewriteUrl: ({ url, headers }: Rewritten) => rewriteUrl(url ?? '/', headers.host) }
      : {}),
  }) as unknown as FastifyInstance
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  // Before it listens, whoever starts it is told.
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
      .send({ code: 'not_found', message: `There is nothing at ${request.method} ${request.url}.` })
  })
  return app
}

/** Whatever parses the URL of a request finds one that parses: a client of HTTP/1.0 need not name a host. */
function refuseInvalidUrl({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  raw.headers.host ||= 'localhost'
  if (parseUrl(raw.url ?? '/', `http://${raw.headers.host}`)) return done()
  // The error handlers of routes parse the URL too, so it is answered here.
  void reply.code(400).send({ code: 'bad_request', message: 'The request has no valid URL.' })
}

type Rewritten = Pick<IncomingMessage, 'url' | 'headers'>

type FrameworkErrors = NonNullable<AppOptions['frameworkErrors']>

/** Where there is no route, there are no hooks either. */
const named =
  (answer: FrameworkErrors): FrameworkErrors =>
  (error, request, reply) => {
    void reply.header(REQUEST_ID, request.id)
    answer(error, request, reply)
  }

function unexpected(error: unknown, { log, routeOptions }: FastifyRequest) {
  const status = (error as { statusCode?: number }).statusCode
  if (status === 413) {
    const most = (routeOptions.bodyLimit ?? BODY_LIMIT_BYTES) / 1024
    return { code: 'payload_too_large', message: `The body is larger than ${most} KiB.` } as const
  }
  if (status === 415)
    return { code: 'unsupported_media_type', message: 'Send application/json in UTF-8.' } as const
  if (status !== undefined && status < 500)
    return { code: 'bad_request', message: 'The request cannot be read.' } as const
  log.error({ err: error }, 'a request failed')
  return { code: 'internal_server_error', message: INTERNAL_MESSAGE } as const
}

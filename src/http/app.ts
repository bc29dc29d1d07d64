import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { errorCodes, PublicError } from '../domain/errors.ts'
import type { Logger } from '../platform/logging/log.ts'
import { REQUEST_ID, requestIdOf, logRequests } from './requests/track-requests.ts'
import { parseUrl } from '../platform/parse-url.ts'
import { ignoreAbsentBody } from './bodies/absent-body.ts'
import { BODY_BUDGET_BYTES, limitBodies } from './bodies/body-budget.ts'
import { NO_PROXIES, remoteAddressOf, type TrustedProxies } from '../platform/remote-address.ts'
import { compressResponses } from './compression.ts'
import { badBody, decodeJsonBody } from './bodies/json-body.ts'
import { errorResponse } from './graphql/error-response.ts'
import { sendGatewayHeaders } from './gateway-headers.ts'
import { BODY_LIMIT_BYTES, toPublicError } from './public-error.ts'

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** Interval at which the two timeouts are checked. The default of Node is 30 seconds. */
const TIMEOUT_CHECK_MS = 1000

declare module 'fastify' {
  interface FastifyRequest {
    /** IP address of the client, if the proxies that report it are trusted; else that of the last proxy. */
    readonly remoteAddress: string
  }
}

interface AppOptions {
  readonly log: Logger
  /** Default: none. */
  readonly proxies?: TrustedProxies
  /** Whether responses may be compressed. Default: true. */
  readonly compression?: boolean
  /** Whether callers reach the service over https only. */
  readonly isHttpsOnly?: boolean
  /** Bytes that arriving bodies may have together. Default: `BODY_BUDGET_BYTES`. */
  readonly bodyBudgetBytes?: number
  /** Rewrites the URL of a request before routing. */
  readonly rewriteUrl?: (url: string, host: string | undefined) => string
  /** Responds to requests that Fastify rejects before routing, such as a URL with an invalid escape. */
  readonly frameworkErrors?: FastifyServerOptions['frameworkErrors']
}

/** Creates the HTTP server, on which the other modules mount their routes. */
export function createApp({
  log,
  proxies = NO_PROXIES,
  compression = true,
  isHttpsOnly = false,
  bodyBudgetBytes = BODY_BUDGET_BYTES,
  rewriteUrl,
  frameworkErrors,
}: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: BODY_LIMIT_BYTES,
    // Requests that arrive during shutdown are served, with `Connection: close`.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    clientErrorHandler: rejectUnparsed,
    routerOptions: { ignoreTrailingSlash: true },
    ...(frameworkErrors ? { frameworkErrors: withRequestId(frameworkErrors) } : {}),
    ...(rewriteUrl
      ? { rewriteUrl: ({ url, headers }: RewriteRequest) => rewriteUrl(url ?? '/', headers.host) }
      : {}),
  }) as unknown as FastifyInstance
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  // An error before `listening` rejects the call of `listen`. A later error would be lost without this log line.
  app.server.once('listening', () =>
    app.server.on('error', (err) => log.error({ err }, 'HTTP server failed')),
  )
  app.decorateRequest('remoteAddress', {
    getter(this: FastifyRequest) {
      return remoteAddressOf(this.raw, proxies)
    },
  })
  logRequests(app, log)
  sendGatewayHeaders(app)
  compressResponses(app, compression)
  parseJsonBodies(app)
  addSecurityHeaders(app, isHttpsOnly)
  app.addHook('onRequest', refuseInvalidUrl)
  app.addHook('onRequest', ignoreAbsentBody)
  limitBodies(app, bodyBudgetBytes)
  app.setErrorHandler((error, request, reply) => {
    const { code, message, detail, retryAfterSeconds } = toPublicError(error, request)
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
    const where = code === 'bad_request' ? [{ message, path: '{requestBody}' }] : request.id
    void reply.code(errorCodes[code].status).send({ code, message, detail: detail ?? where })
  })
  app.setNotFoundHandler((request, reply) => {
    void reply
      .code(404)
      .send({ code: 'not_found', message: `There is no route ${request.method} ${request.url}.` })
  })
  return app
}

/** Time for which browsers use https only: a year. */
const HSTS = `max-age=${365 * 24 * 3600}`

/** Sets the security headers of every response. A route can set other values. Browsers and proxies store no data. */
function addSecurityHeaders(app: FastifyInstance, isHttpsOnly: boolean): void {
  const headers = {
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    ...(isHttpsOnly ? { 'strict-transport-security': HSTS } : {}),
  }
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
}

/** Replaces the JSON parser of Fastify, which decodes a body of any encoding as UTF-8. */
function parseJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'ignore')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // A body of no chunks.
    if (bytes.length === 0) return done(null, undefined)
    try {
      parseJson(request, decodeJsonBody(request, bytes), (error, body) =>
        error ? done(badBody('The body is not valid JSON.', error)) : done(null, body),
      )
    } catch (error) {
      done(error as PublicError)
    }
  })
}

/**
 * Responds on the socket to a request that the HTTP parser rejects, because no route and no hook sees the request. Its
 * path is unknown: the raw packet of the error is the last one, and can begin with another request. The body therefore
 * has the form of a REST error and that of a GraphQL response.
 */
function rejectUnparsed({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = parserErrors.get(code) ?? ['400 Bad Request', 'This is not a valid HTTP request.']
  const error = new PublicError('bad_request', message)
  const body = JSON.stringify({ code: error.code, message, ...errorResponse(error) })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const parserErrors: ReadonlyMap<string, readonly [status: string, message: string]> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    [
      '431 Request Header Fields Too Large',
      'The URL and the headers are larger than 16 KiB. Send fewer values.',
    ],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request did not arrive in time.']],
])

/**
 * Rejects requests whose URL does not parse, so that later code can rely on it. HTTP/1.0 clients may omit the
 * Host header; they get a default. Of several Host headers, a proxy may have used another one than this service.
 */
function refuseInvalidUrl({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (hasSeveralHosts(raw))
    return void reply
      .code(400)
      .send({ code: 'bad_request', message: 'The request has several Host headers.' })
  raw.headers.host ||= 'localhost'
  if (parseUrl(raw.url ?? '/', `http://${raw.headers.host}`)) return done()
  // The error handlers of routes parse the URL too, so the response is sent here.
  void reply.code(400).send({ code: 'bad_request', message: 'The request has no valid URL.' })
}

/** Whether a request has more than one Host header. Node keeps the first of them in `headers`. */
const hasSeveralHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1

type RewriteRequest = Pick<IncomingMessage, 'url' | 'headers'>

type FrameworkErrors = NonNullable<AppOptions['frameworkErrors']>

/** Adds the request ID header to the response. The hook that normally adds it does not run for these errors. */
const withRequestId =
  (respond: FrameworkErrors): FrameworkErrors =>
  (error, request, reply) => {
    void reply.header(REQUEST_ID, request.id)
    respond(error, request, reply)
  }

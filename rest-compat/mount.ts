import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PublicError } from '../src/domain/errors.ts'
import { authenticateLargeBodies } from '../src/http/bodies/body-budget.ts'
import { decodeJsonBody } from '../src/http/bodies/json-body.ts'
import { createDocumentHandlers, type DocumentOptions } from './documents.ts'
import { sendErrorResponse } from './response/error-response.ts'
import { createRouteHandler } from './route-handler.ts'
import type { UnknownParameterPolicy } from './request/read-query.ts'
import { routes } from './routes.ts'

const PREFIX = '/tsp/v1'
const OPENAPI_PATH = '/openapi.json'

interface RestOptions extends DocumentOptions {
  readonly unknownParameters: UnknownParameterPolicy
}

/**
 * Mounts every route and the OpenAPI document under /tsp/v1, where it rejects other paths and methods. Mounts the JSON
 * Schemas of events under /schemas.
 */
export function mountRest(app: FastifyInstance, options: RestOptions): void {
  const { gateway, unknownParameters } = options
  const documents = createDocumentHandlers(options)
  app.register(
    async (rest) => {
      rest.setErrorHandler(sendErrorResponse)
      rest.setNotFoundHandler(rejectUnmatched)
      readBodiesAsText(rest)
      // Rejects an unmatched request before its body is read, so that an error of the body does not hide the 404 or
      // 405.
      rest.addHook('onRequest', (request, reply, next) =>
        request.is404 ? rejectUnmatched(request, reply) : next(),
      )
      for (const route of routes)
        rest.route({
          method: route.method,
          url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: createRouteHandler(route, gateway, unknownParameters),
          ...(route.maxBodyBytes === undefined
            ? {}
            : { bodyLimit: route.maxBodyBytes, onRequest: authenticateLargeBodies(gateway.authenticate) }),
        })
      rest.get(OPENAPI_PATH, documents.openApi)
    },
    { prefix: PREFIX },
  )
  app.register(
    async (schemas) => {
      schemas.setErrorHandler(sendErrorResponse)
      schemas.get('/events', documents.events)
      schemas.get('/events/:type', documents.event)
    },
    { prefix: '/schemas' },
  )
}

/** Keeps bodies as text. A route parses its body after authentication, so that a missing key is reported first. */
function readBodiesAsText(rest: FastifyInstance): void {
  rest.removeAllContentTypeParsers()
  rest.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => decodeJsonBody(request, bytes),
  )
}

/**
 * Collapses repeated slashes. The base URL of some clients ends in a slash, so their paths begin with two.
 */
export function collapseSlashes(url: string): string {
  if (!url.startsWith('/') || !url.includes('//')) return url
  const [path = ''] = url.split('?', 1)
  return path.replaceAll(/\/{2,}/g, '/') + url.slice(path.length)
}

/** Methods and path patterns of all routes. They distinguish an unknown path (404) from an unknown method (405). */
const routePatterns = [...routes, { method: 'GET', path: OPENAPI_PATH }].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${PREFIX}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}))

function rejectUnmatched(request: FastifyRequest, reply: FastifyReply): never {
  const [path = ''] = request.url.split('?', 1)
  const methods = routePatterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (methods.length === 0) throw new PublicError('not_found', 'There is no such path.')
  const allowed = [
    ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
  ].join(', ')
  void reply.header('allow', allowed)
  throw new PublicError('method_not_allowed', `This path supports ${allowed}.`)
}

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PublicError } from '../src/domain/errors.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { authenticateLargeBodies } from '../src/http/bodies/body-budget.ts'
import { decodeJsonBody } from '../src/http/bodies/json-body.ts'
import { sendErrorResponse } from './response/error-response.ts'
import { createRouteHandler } from './route-handler.ts'
import { openApi } from './openapi/openapi.ts'
import type { UnknownParameterPolicy } from './request/read-query.ts'
import { routes } from './routes.ts'

const PREFIX = '/tsp/v1'
const OPENAPI_PATH = '/openapi.json'

interface RestOptions {
  readonly gateway: Gateway
  /** Path of the public URL, for the OpenAPI document. A proxy removes it from the requests. */
  readonly basePath?: string
  readonly unknownParameters: UnknownParameterPolicy
}

/** Mounts every route and the OpenAPI document under /tsp/v1. Rejects other paths and methods. */
export function mountRest(
  app: FastifyInstance,
  { gateway, basePath = '', unknownParameters }: RestOptions,
): void {
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
      rest.get(OPENAPI_PATH, documentHandler(gateway, basePath))
    },
    { prefix: PREFIX },
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

/** Serves the OpenAPI document, which needs no key. The first request builds it. */
function documentHandler({ ownSupergraph, scopesOf }: Gateway, basePath: string) {
  let document: { readonly text: string; readonly etag: string } | null = null
  return (request: FastifyRequest, reply: FastifyReply) => {
    document ??= withEtag(JSON.stringify(openApi(routes, ownSupergraph.apiSchema, scopesOf, basePath)))
    reply.isCompressible = true
    void reply.header('etag', document.etag).header('cache-control', 'no-cache')
    if (matchesEtag(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(document.text)
  }
}

/** Whether an If-None-Match header contains the ETag. `*` means any version. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(etag))

const withEtag = (text: string) => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

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

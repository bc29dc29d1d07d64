import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PublicError } from '../src/domain/errors.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { decodeJsonBody } from '../src/http/json-body.ts'
import { sendErrorResponse } from './response/error-response.ts'
import { createRouteHandler } from './route-handler.ts'
import { openApi } from './openapi/openapi.ts'
import type { UnknownParameters } from './request/read-query.ts'
import { routes } from './routes.ts'

const PREFIX = '/tsp/v1'
const DOCUMENT = '/openapi.json'

interface RestOptions {
  readonly gateway: Gateway
  /** Path of the public URL, which a proxy removes. */
  readonly basePath?: string
  readonly unknownParameters: UnknownParameters
}

/** Serves every route under /tsp/v1 and the document of them, and refuses what is none. */
export function mountRest(
  app: FastifyInstance,
  { gateway, basePath = '', unknownParameters }: RestOptions,
): void {
  app.register(
    async (rest) => {
      rest.setErrorHandler(sendErrorResponse)
      rest.setNotFoundHandler(refuse)
      readBodiesAsText(rest)
      // Before the body is read: what is wrong with it does not matter where nothing takes it.
      rest.addHook('onRequest', (request, reply, next) => (request.is404 ? refuse(request, reply) : next()))
      for (const route of routes)
        rest.route({
          method: route.method,
          url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: createRouteHandler(route, gateway, unknownParameters),
          ...(route.largestBody === undefined ? {} : { bodyLimit: route.largestBody }),
        })
      rest.get(DOCUMENT, documentHandler(gateway, basePath))
    },
    { prefix: PREFIX },
  )
}

/** A body is parsed by its route, after the caller is known. */
function readBodiesAsText(rest: FastifyInstance): void {
  rest.removeAllContentTypeParsers()
  rest.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => decodeJsonBody(request, bytes),
  )
}

/** The document needs no key. It is written once, when somebody first asks for it. */
function documentHandler({ supergraph, scopesOf }: Gateway, basePath: string) {
  let written: { readonly text: string; readonly etag: string } | null = null
  return (request: FastifyRequest, reply: FastifyReply) => {
    written ??= tagged(JSON.stringify(openApi(routes, supergraph.apiSchema, scopesOf, basePath)))
    void reply.header('etag', written.etag).header('cache-control', 'no-cache')
    if (isKnown(request.headers['if-none-match'], written.etag)) return reply.code(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(written.text)
  }
}

/** Whether a client has this version, by its If-None-Match header. `*` means any version. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(etag))

const tagged = (text: string) => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

/** Some clients' base address ends in a slash, so that their paths begin with two (decision C2). */
export function collapseSlashes(url: string): string {
  if (!url.startsWith('/') || !url.includes('//')) return url
  const [path = ''] = url.split('?', 1)
  return path.replaceAll(/\/{2,}/g, '/') + url.slice(path.length)
}

const patterns = [...routes, { method: 'GET', path: DOCUMENT }].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${PREFIX}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
}))

function refuse(request: FastifyRequest, reply: FastifyReply): never {
  const [path = ''] = request.url.split('?', 1)
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (methods.length === 0) throw new PublicError('not_found', 'There is no such path.')
  const allowed = [
    ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
  ].join(', ')
  void reply.header('allow', allowed)
  throw new PublicError('method_not_allowed', `This path takes ${allowed}.`)
}

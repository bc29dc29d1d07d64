import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PublicError } from '../src/errors.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { answerError } from './answer-error.ts'
import { handlerOf } from './handle.ts'
import type { UnknownParameters } from './read-query.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const PREFIX = '/tsp/v1'

interface RestOptions {
  readonly gateway: Gateway
  readonly unknownParameters: UnknownParameters
}

/** Serves every route under /tsp/v1, and refuses what is none. */
export function mountRest(app: FastifyInstance, { gateway, unknownParameters }: RestOptions): void {
  app.register(
    async (rest) => {
      rest.setErrorHandler(answerError)
      rest.setNotFoundHandler(refuse)
      // Before the body is read: what is wrong with it does not matter where nothing takes it.
      rest.addHook('onRequest', (request, reply, next) => (request.is404 ? refuse(request, reply) : next()))
      for (const route of routes)
        rest.route({
          method: route.method,
          url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: handlerOf(route, gateway, unknownParameters),
        })
    },
    { prefix: PREFIX },
  )
}

/** Some clients' base address ends in a slash, so that their paths begin with two (decision C2). */
export function collapseSlashes(url: string): string {
  if (!url.startsWith('/') || !url.includes('//')) return url
  const [path = ''] = url.split('?', 1)
  return path.replaceAll(/\/{2,}/g, '/') + url.slice(path.length)
}

const patterns = routes.map((route): readonly [RegExp, Route] => [
  new RegExp(`^${PREFIX}${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  route,
])

function refuse(request: FastifyRequest, reply: FastifyReply): never {
  const [path = ''] = request.url.split('?', 1)
  const methods = patterns.filter(([pattern]) => pattern.test(path)).map(([, { method }]) => method)
  if (methods.length === 0) throw new PublicError('not_found', 'There is no such path.')
  const allowed = [
    ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
  ].join(', ')
  void reply.header('allow', allowed)
  throw new PublicError('method_not_allowed', `This path takes ${allowed}.`)
}

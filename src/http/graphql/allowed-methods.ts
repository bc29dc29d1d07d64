import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { sendGraphqlError } from './error-response.ts'

/**
 * Replies to OPTIONS at `/graphql` with 204, and to methods without a route with 405. Both list the allowed methods and
 * read no body. The other routes of `/graphql` must be registered before.
 */
export function mountAllowedMethods(app: FastifyInstance): void {
  const knownMethods = app.supportedMethods as HTTPMethods[]
  const isAllowed = (method: string) => method === 'OPTIONS' || app.hasRoute({ method, url: '/graphql' })
  const allowed = knownMethods.filter(isAllowed).join(', ')
  const sendAllowed = (_request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('allow', allowed).code(204).send()
  }
  const reject = (request: FastifyRequest, reply: FastifyReply) => {
    const error = new PublicError('method_not_allowed', `This path supports ${allowed}.`)
    sendGraphqlError(error, request, reply.header('allow', allowed))
  }
  const others = knownMethods.filter((method) => !isAllowed(method))
  // `onRequest` replies before the body is read. Fastify requires a handler too.
  app.route({ url: '/graphql', method: 'OPTIONS', onRequest: sendAllowed, handler: sendAllowed })
  app.route({ url: '/graphql', method: others, onRequest: reject, handler: reject })
}

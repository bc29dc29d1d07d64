import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { sendGraphqlError } from './error-response.ts'

/**
 * Answers OPTIONS at `/graphql`, and every method that no route supports, with the list of allowed methods. Both are
 * answered before a body is read.
 */
export function mountOtherMethods(app: FastifyInstance): void {
  const methods = app.supportedMethods as HTTPMethods[]
  const isSupported = (method: string) => method === 'OPTIONS' || app.hasRoute({ method, url: '/graphql' })
  const allow = methods.filter(isSupported).join(', ')
  const answer = (_request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('allow', allow).code(204).send()
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const error = new PublicError('method_not_allowed', `Send one of ${allow}.`)
    sendGraphqlError(error, request, reply.header('allow', allow))
  }
  const unsupported = methods.filter((method) => !isSupported(method))
  app.route({ url: '/graphql', method: 'OPTIONS', onRequest: answer, handler: answer })
  app.route({ url: '/graphql', method: unsupported, onRequest: refuse, handler: refuse })
}

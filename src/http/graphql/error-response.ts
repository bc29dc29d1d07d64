import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { errorCodes, type PublicError } from '../../domain/errors.ts'
import { toPublicError } from '../public-error.ts'

/** Responds to a failed request with a GraphQL response that has `errors` and no data. */
export function sendGraphqlError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof GraphQLError) return reply.code(400).send({ errors: [error] })
  const publicError = toPublicError(error, request)
  void reply.code(errorCodes[publicError.code].status).headers(Object.fromEntries(retryAfterOf(publicError)))
  return reply.send(errorResponse(publicError))
}

export const errorResponse = ({ message, extensions }: PublicError) => ({
  errors: [new GraphQLError(message, { extensions })],
})

/** Returns the `Retry-After` header. Empty if the error has no time after which a retry can succeed. */
export const retryAfterOf = ({ retryAfterSeconds }: PublicError): [string, string][] =>
  retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]

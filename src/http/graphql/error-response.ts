import type { FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { errorCodes, isPublic, type PublicError } from '../../domain/errors.ts'
import { JSON_TYPES } from '../content-negotiation.ts'
import { addErrorCode } from '../../gateway/error-masking.ts'
import { addRequestDetails } from '../../platform/logging/log-context.ts'
import { toPublicError } from '../public-error.ts'

/** Responds to a failed request with a GraphQL response that has `errors` and no data. */
export function sendGraphqlError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const logContext = request.tracking?.logContext
  if (error instanceof GraphQLError) {
    addErrorCode(logContext, { errors: [error] })
    return reply.code(400).send({ errors: [error] })
  }
  const publicError = toPublicError(error, request)
  addRequestDetails(logContext, { errorCode: publicError.code })
  void reply.code(errorCodes[publicError.code].status).headers(Object.fromEntries(retryAfterOf(publicError)))
  return reply.send(errorResponse(publicError))
}

/**
 * Responds with the errors of a document that the service refuses. The status is 400, or 503 if the load is too high.
 */
export function sendDocumentErrors(
  errors: readonly GraphQLError[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = errors[0]?.originalError
  return isPublic(refusal) ? sendGraphqlError(refusal, request, reply) : reply.code(400).send({ errors })
}

/** Responds to a request that accepts no media type of the response. */
export function sendNotAcceptable(reply: FastifyReply): FastifyReply {
  const message = `The Accept header permits neither ${JSON_TYPES.join(' nor ')}.`
  return reply
    .code(406)
    .send({ errors: [new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } })] })
}

export const errorResponse = ({ message, extensions }: PublicError) => ({
  errors: [new GraphQLError(message, { extensions })],
})

/** Returns the `Retry-After` header. Empty if the error has no time after which a retry can succeed. */
export const retryAfterOf = ({ retryAfterSeconds }: PublicError): [string, string][] =>
  retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]

import type { FastifyReply, FastifyRequest } from 'fastify'
import { addRequestDetails } from '../../src/platform/logging/log-context.ts'
import {
  type ErrorCode,
  errorCodes,
  INTERNAL_MESSAGE,
  isPublic,
  type PublicError,
} from '../../src/domain/errors.ts'

type ErrorReply = Pick<PublicError, 'code' | 'message' | 'detail' | 'retryAfterSeconds'>

/** Sends an error. An unexpected error is logged; its response has a fixed sentence and the request id. */
export function sendErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const {
    code,
    message,
    detail,
    retryAfterSeconds: retryAfter,
  } = isPublic(error) ? error : (fastifyErrorOf(error, request) ?? unexpectedErrorOf(error, request))
  addRequestDetails(request.tracking?.logContext, { errorCode: code })
  if (code === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  void reply
    .code(errorCodes[code].status)
    .header('content-type', 'application/json; charset=utf-8')
    .send({
      code,
      message,
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
}

/** Our codes and messages for Fastify's own errors, by status. */
const fastifyErrors = new Map<number, readonly [ErrorCode, string]>([
  [400, ['bad_request', 'The request cannot be read.']],
  [413, ['payload_too_large', 'The body is too large.']],
  // Fastify responds with 414 to a path parameter that is longer than any id.
  [414, ['not_found', 'There is no such path.']],
  [415, ['unsupported_media_type', 'Send application/json in UTF-8.']],
])

/** Returns the response to an error of Fastify itself; null for any other error. */
function fastifyErrorOf(error: unknown, { routeOptions }: FastifyRequest): ErrorReply | null {
  const { code: fastifyCode, statusCode } = error as { code?: unknown; statusCode?: number }
  const known = String(fastifyCode).startsWith('FST_') ? fastifyErrors.get(statusCode ?? 500) : undefined
  if (!known) return null
  const [code, message] = known
  const limit = code === 'payload_too_large' ? routeOptions.bodyLimit : undefined
  return {
    code,
    message: limit === undefined ? message : `The body is larger than ${limit / 1024} KiB.`,
  }
}

/** Logs an unexpected error and returns its response. */
function unexpectedErrorOf(error: unknown, request: FastifyRequest): ErrorReply {
  request.log.error(
    { err: error, method: request.method, url: request.routeOptions.url },
    'REST request failed',
  )
  return { code: 'internal_server_error', message: INTERNAL_MESSAGE, detail: request.id }
}

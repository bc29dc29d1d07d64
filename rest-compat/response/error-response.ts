import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ErrorCode,
  errorCodes,
  INTERNAL_MESSAGE,
  isPublic,
  type PublicError,
} from '../../src/domain/errors.ts'

type ErrorReply = Pick<PublicError, 'code' | 'message' | 'detail' | 'retryAfterSeconds'>

/** Converts an error to a response. An unexpected error is logged and returned as a fixed sentence. */
export function sendErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { code, message, detail, retryAfterSeconds } = isPublic(error)
    ? error
    : (refusedByFastify(error, request) ?? unexpected(error, request))
  if (code === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  // Retry-After holds whole seconds only.
  const retryAfter = retryAfterSeconds === undefined ? undefined : Math.max(1, Math.ceil(retryAfterSeconds))
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

const refusals = new Map<number, readonly [ErrorCode, string]>([
  [400, ['bad_request', 'The request cannot be read.']],
  [413, ['payload_too_large', 'The body is too large.']],
  // Fastify responds 414 to a parameter that is longer than any id.
  [414, ['not_found', 'There is no such path.']],
  [415, ['unsupported_media_type', 'Send application/json in UTF-8.']],
])

function refusedByFastify(error: unknown, { routeOptions }: FastifyRequest): ErrorReply | null {
  const { code, statusCode } = error as { code?: unknown; statusCode?: number }
  const refusal = String(code).startsWith('FST_') ? refusals.get(statusCode ?? 500) : undefined
  if (!refusal) return null
  const [refused, message] = refusal
  const limit = refused === 'payload_too_large' ? routeOptions.bodyLimit : undefined
  return {
    code: refused,
    message: limit === undefined ? message : `The body is larger than ${limit / 1024} KiB.`,
  }
}

function unexpected(error: unknown, request: FastifyRequest): ErrorReply {
  request.log.error(
    { err: error, method: request.method, url: request.routeOptions.url },
    'REST request failed',
  )
  return { code: 'internal_server_error', message: INTERNAL_MESSAGE, detail: request.id }
}

import type { FastifyRequest } from 'fastify'
import { INTERNAL_MESSAGE, isPublic, PublicError } from '../domain/errors.ts'

/** Maximum body size, for routes without a limit of their own. */
export const BODY_LIMIT_BYTES = 100 * 1024

/** Converts an error to one that a caller may see. Logs an internal error, whose cause the caller does not see. */
export function toPublicError(error: unknown, { log, routeOptions }: FastifyRequest): PublicError {
  if (isPublic(error)) return error
  const status = (error as { statusCode?: number }).statusCode
  if (status === 413) {
    const limit = (routeOptions.bodyLimit ?? BODY_LIMIT_BYTES) / 1024
    return new PublicError('payload_too_large', `The body is larger than ${limit} KiB.`)
  }
  if (status === 415) return new PublicError('unsupported_media_type', 'Send application/json in UTF-8.')
  if (status !== undefined && status < 500)
    return new PublicError('bad_request', 'The request cannot be read.')
  log.error({ err: error }, 'request failed')
  return new PublicError('internal_server_error', INTERNAL_MESSAGE)
}

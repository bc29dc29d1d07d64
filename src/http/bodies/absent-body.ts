import type { FastifyRequest } from 'fastify'
import { isSafe } from '../safe-methods.ts'

/**
 * Removes the content type of a request whose body is absent or is not read, because the path has no route. Many
 * clients send the type with every request. The content type of a safe method stays: browsers cannot set it without
 * a preflight request.
 */
export function ignoreAbsentBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (!isSafe(request) && (request.is404 || !hasBody(request))) delete request.headers['content-type']
  done()
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

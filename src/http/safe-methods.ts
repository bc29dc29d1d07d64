import type { FastifyRequest } from 'fastify'

/** Whether a method is safe: GET, and HEAD, which asks for the same without the body. Parameters are in the URL. */
export const isSafe = ({ method }: Pick<FastifyRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD'

/** Returns a HEAD request as GET, for code that does not know HEAD. Fastify drops the body of the response. */
export const asGet = (request: FastifyRequest): FastifyRequest =>
  request.method === 'HEAD'
    ? (Object.create(request, { method: { value: 'GET' } }) as FastifyRequest)
    : request

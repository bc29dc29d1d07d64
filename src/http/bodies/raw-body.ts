import type { FastifyInstance } from 'fastify'

/** Lets the routes of a scope read bodies of any type as they were sent, because a signature is that of the raw body. */
export function parseRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Returns a raw body. Without one, it is empty. */
export const rawBody = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

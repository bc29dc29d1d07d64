import type { FastifyInstance } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { credentialsOf } from '../requests/request-credentials.ts'
import { sendGraphqlError } from './error-response.ts'

interface SchemaFileOptions {
  readonly gateway: Gateway
  readonly introspection: boolean
}

/**
 * Serves the schema as SDL, with the fields of custom subgraphs, if introspection is on. The path ends in `.graphql`,
 * because code generators need that.
 */
export function mountSchemaFile(app: FastifyInstance, { gateway, introspection }: SchemaFileOptions): void {
  let sdl: string | undefined
  app.get('/graphql/schema.graphql', { errorHandler: sendGraphqlError }, async (request, reply) => {
    await gateway.authenticate(credentialsOf(request), request.remoteAddress)
    if (!introspection) throw new PublicError('forbidden', 'Introspection is off.')
    reply.isCompressible = true
    return reply.type('text/plain; charset=utf-8').send((sdl ??= gateway.schemaSdl()))
  })
}

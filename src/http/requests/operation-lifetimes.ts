import type { FastifyReply } from 'fastify'
import { PublicError } from '../../domain/errors.ts'
import { OperationLifetime } from '../../gateway/load/operation-lifetime.ts'

export const clientLeft = () =>
  new PublicError('bad_request', 'The client closed the connection before the response.')

export const clientStopped = () =>
  new PublicError('bad_request', 'The client stopped the operation before its result.')

/** Returns the lifetime of the operation of a request. It ends when the client closes the connection. */
export function lifetimeOf({ raw }: FastifyReply): OperationLifetime {
  const lifetime = new OperationLifetime()
  raw.once('close', () => lifetime.end(clientLeft))
  return lifetime
}

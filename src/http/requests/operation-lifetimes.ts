import type { FastifyReply } from 'fastify'
import type { WebSocket } from 'ws'
import { PublicError } from '../../domain/errors.ts'
import { OperationLifetime } from '../../gateway/load/operation-lifetime.ts'

const clientLeft = () =>
  new PublicError('bad_request', 'The client closed the connection before the response.')

/** Returns the lifetime of the operation of a request. It ends when the client closes the connection. */
export function lifetimeOf({ raw }: FastifyReply): OperationLifetime {
  const lifetime = new OperationLifetime()
  raw.once('close', () => lifetime.end(clientLeft))
  return lifetime
}

/** Runs an operation on a socket. Its lifetime ends when the socket closes. */
export async function withSocketLifetime<T>(
  socket: WebSocket,
  run: (lifetime: OperationLifetime) => Promise<T>,
): Promise<T> {
  const lifetime = new OperationLifetime()
  const end = () => lifetime.end(clientLeft)
  socket.once('close', end)
  try {
    return await run(lifetime)
  } finally {
    socket.off('close', end)
  }
}

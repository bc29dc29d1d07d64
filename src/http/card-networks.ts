import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addCaller, type Caller } from '../auth/caller.ts'
import { PublicError } from '../domain/errors.ts'
import type { Context, ContextFor } from '../gateway/context.ts'
import { OperationLifetime } from '../gateway/load/operation-lifetime.ts'
import type { ReceiveCardMessage } from '../subgraphs/purchases/networks/receive-card-message.ts'
import { parseRawBodies, rawBody } from './bodies/raw-body.ts'

/** Cost of a message in the fair share of its application: that of a mutation. */
const MESSAGE_COST = 5_000
/** A check begins within this time or never, so that no purchase is recorded with another decision than its answer. */
const MAX_WAIT_MS = 600

/**
 * Mounts `POST /card-networks/{id}`, to which card networks send authorizations and captures. A message waits for the
 * turn of its application like a mutation. It takes no points of the request rate: a network does not send it again.
 */
export function mountCardNetworks(
  app: FastifyInstance,
  gateway: { readonly contextFor: ContextFor },
  receive: ReceiveCardMessage,
): void {
  app.register(async (scope) => {
    parseRawBodies(scope)
    scope.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Basic realm="card-networks"')
    })
    scope.post<{ Params: { id: string } }>('/card-networks/:id', async (request, reply) => {
      const { params, headers, body } = request
      const { status, ...answer } = await receive(params.id, {
        headers,
        body: rawBody(body),
        commandsOf: (caller) => commandsOf(gateway.contextFor, caller, request),
      })
      return reply
        .code(status)
        .headers(answer.headers ?? {})
        .send(answer.body)
    })
  })
}

/** Waits for the turn of an application. Returns its commands. */
async function commandsOf(
  contextFor: ContextFor,
  caller: Caller,
  { tracking }: FastifyRequest,
): Promise<Context['purchaseCommands']> {
  const logContext = tracking?.logContext
  addCaller(logContext, caller)
  const lifetime = new OperationLifetime()
  lifetime.limit(MAX_WAIT_MS, waitedTooLong)
  const { share, purchaseCommands } = contextFor({ caller, credentials: {}, logContext, lifetime })
  await share.request(MESSAGE_COST, lifetime)
  lifetime.preventEnd()
  return purchaseCommands
}

const waitedTooLong = () =>
  new PublicError('service_unavailable', 'The message waited too long behind other requests.', {
    retryAfterSeconds: 1,
  })

import { GraphQLError } from 'graphql'
import type { WebSocket } from 'ws'
import type { Caller, Credentials } from '../../auth/caller.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Operation } from '../../gateway/operation.ts'
import { limitErrorToResult, type ConnectionLimiter } from '../connection-limits.ts'
import { withSocketLifetime } from '../operation-lifetimes.ts'
import { BackpressuredSender } from './backpressure.ts'

/** Caller of a socket. */
export interface SocketSession {
  readonly caller: Caller
  readonly credentials: Credentials
  /** ID of the request that opened the socket. */
  readonly requestId: string
}

interface SocketRequest {
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
  readonly contextValue?: unknown
}

/** Context of an operation on a socket, which graphql-ws passes to the callbacks as `contextValue`. */
export interface SocketOperationContext extends SocketSession {
  readonly socket: WebSocket
  /** ID of the operation, as the client chose it. */
  readonly id: string
  readonly operation: Operation
}

/** Runs a query or mutation on a socket. */
export function executeOnSocket(gateway: Gateway, request: SocketRequest) {
  const { caller, credentials, requestId, socket, operation } = request.contextValue as SocketOperationContext
  const logContext = { requestId, statements: 0 }
  return withSocketLifetime(socket, (lifetime) =>
    gateway.execute({
      operation,
      variables: request.variableValues,
      context: gateway.contextFor({ caller, credentials, logContext, lifetime }),
    }),
  )
}

/** Starts a subscription on a socket. Returns its sender, or a result with errors. */
export async function subscribeOnSocket(
  gateway: Gateway,
  limiter: ConnectionLimiter,
  request: SocketRequest,
) {
  const { caller, credentials, requestId, socket, id, operation } =
    request.contextValue as SocketOperationContext
  const release = limitErrorToResult(() => limiter.acquire('subscriptions', caller.applicationId))
  if (release instanceof GraphQLError) return { errors: [release] }
  try {
    const logContext = { requestId, statements: 0 }
    const operationRequest = { operation, variables: request.variableValues }
    const outcome = await gateway.subscribe(operationRequest, { caller, credentials, logContext })
    if ('resultFor' in outcome) return new BackpressuredSender(socket, id, outcome, release)
    release()
    return outcome
  } catch (error) {
    release()
    throw error
  }
}

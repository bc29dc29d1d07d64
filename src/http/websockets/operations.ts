import { GraphQLError } from 'graphql'
import type { WebSocket } from 'ws'
import type { Caller, Credentials } from '../../auth/caller.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Operation } from '../../gateway/operation.ts'
import { limitErrorToResult, type ConnectionLimiter } from '../connection-limits.ts'
import { BackpressuredSender } from './backpressure.ts'

export interface SocketSession {
  readonly caller: Caller
  readonly credentials: Credentials
  /** Of the request that opened the socket. */
  readonly requestId: string
}

interface SocketRequest {
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
  readonly contextValue?: unknown
}

export interface SocketDeps extends SocketSession {
  readonly socket: WebSocket
  readonly id: string
  readonly operation: Operation
}

/** An operation on a socket, as the gateway executes it. */
export function toOperationRequest(gateway: Gateway, request: SocketRequest) {
  const { caller, credentials, requestId, operation } = request.contextValue as SocketDeps
  const context = gateway.contextFor(caller, credentials, { requestId, statements: 0 })
  return { operation, variables: request.variableValues, context }
}

/** A subscription on a socket: its answers, or why there are none. */
export async function subscribeOnSocket(
  gateway: Gateway,
  limiter: ConnectionLimiter,
  request: SocketRequest,
) {
  const { caller, credentials, requestId, socket, id, operation } = request.contextValue as SocketDeps
  const left = limitErrorToResult(() => limiter.take('subscriptions', caller.applicationId))
  if (left instanceof GraphQLError) return { errors: [left] }
  try {
    const logContext = { requestId, statements: 0 }
    const asked = { operation, variables: request.variableValues }
    const outcome = await gateway.subscribe(asked, { caller, credentials, logContext })
    if ('answerTo' in outcome) return new BackpressuredSender(socket, id, outcome, left)
    left()
    return outcome
  } catch (error) {
    left()
    throw error
  }
}

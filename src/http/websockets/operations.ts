import { type DocumentNode, GraphQLError } from 'graphql'
import type { WebSocket } from 'ws'
import type { Caller, Credentials } from '../../auth/caller.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { limitErrorToResult, type ConnectionLimiter } from '../connection-limits.ts'
import { BackpressuredSender } from './backpressure.ts'

export interface SocketSession {
  readonly caller: Caller
  readonly credentials: Credentials
  /** Of the request that opened the socket. */
  readonly requestId: string
}

interface SocketRequest {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
  readonly contextValue?: unknown
}

export type SocketDeps = SocketSession & { readonly socket: WebSocket; readonly id: string }

const operationOf = ({ document, operationName, variableValues }: SocketRequest) => ({
  document,
  operationName,
  variables: variableValues,
})

/** An operation on a socket, as the gateway executes it. */
export function toOperationRequest(gateway: Gateway, request: SocketRequest) {
  const { caller, credentials, requestId } = request.contextValue as SocketDeps
  const context = gateway.contextFor(caller, credentials, { requestId, statements: 0 })
  return { ...operationOf(request), context }
}

/** A subscription on a socket: its answers, or why there are none. */
export async function subscribeOnSocket(
  gateway: Gateway,
  limiter: ConnectionLimiter,
  request: SocketRequest,
) {
  const { caller, credentials, requestId, socket, id } = request.contextValue as SocketDeps
  const left = limitErrorToResult(() => limiter.take('subscriptions', caller.applicationId))
  if (left instanceof GraphQLError) return { errors: [left] }
  try {
    const logContext = { requestId, statements: 0 }
    const outcome = await gateway.subscribe(operationOf(request), { caller, credentials, logContext })
    if ('answerTo' in outcome) return new BackpressuredSender(socket, id, outcome, left)
    left()
    return outcome
  } catch (error) {
    left()
    throw error
  }
}

import { type DocumentNode, GraphQLError } from 'graphql'
import type { WebSocket } from 'ws'
import type { Caller, Credentials } from '../auth/caller.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { attempted, type LiveUse } from './live-use.ts'
import { SocketAnswers } from './socket-answers.ts'

export interface Session {
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

export type OnSocket = Session & { readonly socket: WebSocket; readonly id: string }

const operationOf = ({ document, operationName, variableValues }: SocketRequest) => ({
  document,
  operationName,
  variables: variableValues,
})

/** An operation on a socket, as the gateway executes it. */
export function requestOf(gateway: Gateway, request: SocketRequest) {
  const { caller, credentials, requestId } = request.contextValue as OnSocket
  const context = gateway.contextFor(caller, credentials, { requestId, statements: 0 })
  return { ...operationOf(request), context }
}

/** A subscription on a socket: its answers, or why there are none. */
export async function follow(gateway: Gateway, use: LiveUse, request: SocketRequest) {
  const { caller, credentials, requestId, socket, id } = request.contextValue as OnSocket
  const left = attempted(() => use.take('subscriptions', caller.applicationId))
  if (left instanceof GraphQLError) return { errors: [left] }
  try {
    const scope = { requestId, statements: 0 }
    const outcome = await gateway.follow(operationOf(request), { caller, credentials, scope })
    if ('answered' in outcome) return new SocketAnswers(socket, id, outcome, left)
    left()
    return outcome
  } catch (error) {
    left()
    throw error
  }
}

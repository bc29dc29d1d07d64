import { GraphQLError } from 'graphql'
import type { WebSocket } from 'ws'
import { addCaller, type Caller, type Credentials } from '../../auth/caller.ts'
import { addErrorCode } from '../../gateway/error-masking.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Operation } from '../../gateway/operation.ts'
import type { OperationLifetime } from '../../gateway/load/operation-lifetime.ts'
import type { LogContext } from '../../platform/logging/log-context.ts'
import type { RequestLogWriter } from '../../subgraphs/connections/requests/request-log-writer.ts'
import { limitErrorToResult, type ConnectionLimiter } from '../connection-limits.ts'
import { BackpressuredSender } from './backpressure.ts'

/** Caller of a socket. */
export interface SocketSession {
  readonly caller: Caller
  readonly credentials: Credentials
  /** ID of the request that opened the socket. */
  readonly requestId: string
}

/** Log context of an operation on a socket, and the end of the operation, which the request log records. */
export interface TrackedOperation {
  readonly logContext: LogContext
  /** Records the operation. `errors` are those by which the server refuses it. */
  end(errors?: readonly GraphQLError[]): void
}

/** Starts to track an operation. Its request id is that of the socket with the internal ID of the operation. */
export function trackOperation(
  { caller, requestId }: SocketSession,
  internalId: string,
  requestLog: Pick<RequestLogWriter, 'record'> | undefined,
): TrackedOperation {
  const logContext: LogContext = { requestId: `${requestId}.${internalId}`, statements: 0 }
  const startedAt = performance.now()
  addCaller(logContext, caller)
  return {
    logContext,
    end(errors) {
      addErrorCode(logContext, { errors })
      const durationMs = performance.now() - startedAt
      requestLog?.record({ interface: 'websocket', logContext, status: null, durationMs })
    },
  }
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
  readonly lifetime: OperationLifetime
  readonly operation: Operation
  readonly tracked: TrackedOperation
  readonly idempotencyKey: string | undefined
}

/**
 * Returns the idempotency key in the extensions of an operation. Any other value than a text is malformed, as `''` is.
 */
export function idempotencyKeyIn(extensions: Readonly<Record<string, unknown>> | null | undefined) {
  const { idempotencyKey } = extensions ?? {}
  return typeof idempotencyKey === 'string' || idempotencyKey === undefined ? idempotencyKey : ''
}

/** Runs a query or mutation on a socket. */
export async function executeOnSocket(gateway: Gateway, request: SocketRequest) {
  const { caller, credentials, lifetime, operation, tracked, idempotencyKey } =
    request.contextValue as SocketOperationContext
  const { logContext } = tracked
  try {
    const result = await gateway.execute({
      operation,
      variables: request.variableValues,
      context: gateway.contextFor({ caller, credentials, logContext, lifetime, idempotencyKey }),
    })
    return logContext.isReplayed ? { ...result, extensions: { idempotentReplayed: true } } : result
  } finally {
    tracked.end()
  }
}

/** Starts a subscription on a socket. Returns its sender, or a result with errors. */
export async function subscribeOnSocket(
  gateway: Gateway,
  limiter: ConnectionLimiter,
  request: SocketRequest,
) {
  const { caller, credentials, socket, id, operation, tracked } =
    request.contextValue as SocketOperationContext
  const release = limitErrorToResult(() => limiter.acquireSubscription(caller.applicationId, operation))
  if (release instanceof GraphQLError) {
    tracked.end([release])
    return { errors: [release] }
  }
  const end = () => {
    release()
    tracked.end()
  }
  try {
    const operationRequest = { operation, variables: request.variableValues }
    const { logContext } = tracked
    const outcome = await gateway.subscribe(operationRequest, { caller, credentials, logContext })
    if ('resultFor' in outcome) return new BackpressuredSender(socket, id, outcome, end)
    end()
    return outcome
  } catch (error) {
    end()
    throw error
  }
}
